import HTTPTypes
import Hummingbird
import Tenure
import Testing

@testable import TenureWeb

/// What is told of what was not done.
@Suite struct RefusalTests {
    private let session = ConsoleSession(name: "ada", mayAct: true)

    private func pause(_ console: Console) async throws -> Answer {
        try await Answer.to("/queues/desk/pause", .post, "token=\(session.token)") {
            await console.respond(to: $0, in: session)
        }
    }

    @Test func `a verb that gets no connection is told as not done, and is not done`()
        async throws
    {
        let bench = try await ConsoleBench()
        let pool = PostgresPool(
            configuration: bench.pool.configuration, size: 1,
            acquireDeadline: .milliseconds(300))
        let console = Console(pool: pool, client: TenureClient(pool: pool))
        let answer = try await pool.withConnection { _ in try await pause(console) }
        #expect(answer.status == 503 && answer.text.contains("Nothing was done"))
        #expect(answer.text.contains("see whether the server answers"))
        #expect(!answer.text.contains("give it more"))
        let queue = try await Inspector(pool: bench.pool).queue("desk")
        #expect(queue?.pausedAt == nil)
        // And with a connection it is.
        #expect(try await pause(console).status == 303)
        #expect(try await Inspector(pool: bench.pool).queue("desk")?.pausedAt != nil)
    }

    @Test func `a verb is told as not done where no server listens`() async throws {
        let configuration = try PostgresConfiguration(
            "host=127.0.0.1 port=1 user=ada dbname=none connect_timeout=2")
        let pool = PostgresPool(
            configuration: configuration, size: 1, acquireDeadline: .milliseconds(300))
        let answer = try await pause(Console(pool: pool, client: TenureClient(pool: pool)))
        #expect(answer.status == 503 && answer.text.contains("Nothing was done"))
        #expect(!answer.text.contains("isn't known"))
    }

    @Test(arguments: [
        ("/jobs?state=foo&queue=desk", "name=\"queue\" value=\"desk\""),
        ("/jobs?older-than=soon&key=it", "name=\"older-than\" value=\"soon\""),
        ("/actions?since=soon&by=ada", "name=\"by\" value=\"ada\""),
        ("/statistics?since=soon", "name=\"since\" value=\"soon\""),
    ])
    func `a filter that means nothing is told above its form, which keeps it`(
        path: String, kept: String
    ) async throws {
        let console = try await ConsoleBench().console()
        let page = try await Answer.to(path) { await console.respond(to: $0, in: session) }
        #expect(page.status == 400 && page.text.contains(kept), "\(page.text)")
        let notices = page.text.split(separator: "class=\"notice bad\"").count - 1
        #expect(notices == 1 && page.text.contains("role=\"search\""))
        let json = try await Answer.to(path, .get, "", [.accept: "application/json"]) {
            await console.respond(to: $0, in: session)
        }
        #expect(json.status == 400 && json.text.contains("\"error\""))
    }
}
