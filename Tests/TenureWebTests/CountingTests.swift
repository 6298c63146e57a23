import Foundation
import HTTPTypes
import Tenure
import Testing

@testable import TenureWeb

/// Pages count as far as each look may, say where they ended, and count all where they are asked.
@Suite struct CountingTests {
    private let bench: ConsoleBench
    private let console: Console
    private let session = ConsoleSession(name: "ada", mayAct: true)

    init() async throws {
        bench = try await ConsoleBench()
        console = bench.console()
    }

    private func ask(_ path: String, _ form: String) async throws -> Answer {
        try await Answer.to(path, .get, "", [.accept: form]) {
            await console.respond(to: $0, in: session)
        }
    }

    private func html(_ path: String) async throws -> String {
        try await ask(path, "text/html").text
    }

    private func object(_ path: String) async throws -> [String: Any] {
        let text = try await ask(path, "application/json").text
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(object as? [String: Any], "\(path): \(text)")
    }

    /// - Parameter number: how many jobs each of the queues gets.
    private func fill(_ queues: String, _ number: Int) async throws {
        try await bench.pool.simple(
            """
            INSERT INTO tenure.job (id, state, kind, queue, run_at, payload)
            SELECT tenure.new_id(), 'available', 'deep', q.name, now() - interval '1 h', '{}'
            FROM \(queues) AS q (name), generate_series(1, \(number))
            """)
    }

    @Test func `a deep queue says that there are more, wherever it is counted`() async throws {
        try await fill("(VALUES ('deep'))", 10_001)
        let row = ">10,000+</a>"
        for path in ["/", "/queues", "/queues/deep", "/kinds"] {
            let page = try await html(path)
            #expect(page.contains(path == "/kinds" ? "10,000+" : row), "\(path)")
            #expect(page.contains("Count them all"), "\(path)")
        }
        #expect(try await html("/queues/deep").contains("400+"))
        for path in ["/queues", "/queues/deep", "/kinds"] {
            let page = try await html("\(path)?count=all")
            #expect(page.contains("10,001") && !page.contains("0+"), "\(path)")
            #expect(!page.contains("Count them all"), "\(path)")
        }
        let bounded = try await object("/queues/deep")["queue"] as? [String: Any]
        #expect(bounded?["due"] as? Int == 10_000 && bounded?["pendingAtLeast"] as? Bool == true)
        let whole = try await object("/queues/deep?count=all")["queue"] as? [String: Any]
        #expect(whole?["due"] as? Int == 10_001 && whole?["pendingAtLeast"] as? Bool == false)
        // The other queue is counted to its end.
        let rows = try await object("/queues")["rows"] as? [[String: Any]]
        #expect(rows?.map { $0["pendingAtLeast"] as? Bool } == [true, false])
    }

    @Test func `of many queues each is counted less far`() async throws {
        try await fill("(SELECT 'q' || n FROM generate_series(1, 60) n)", 501)
        let rows = try #require(try await object("/queues")["rows"] as? [[String: Any]])
        #expect(rows.count == 61)
        #expect(rows.dropFirst().allSatisfy { $0["due"] as? Int == 500 })
        #expect(rows.dropFirst().allSatisfy { $0["pendingAtLeast"] as? Bool == true })
        let overview = try await html("/")
        #expect(overview.contains(">30,001+</a>"))
        // Of queues that nobody takes from, the first twenty.
        let findings = try #require(try await object("/")["findings"] as? [[String: Any]])
        let unserved = findings.compactMap { $0["text"] as? String }
            .filter { $0.hasSuffix("due, and no live worker") }
        #expect(unserved.count == 20 && unserved.first == "desk: 1 due, and no live worker")
        #expect(unserved.contains("q1: 500+ due, and no live worker"))
        let texts = findings.compactMap { $0["text"] as? String }
        #expect(texts.contains("More queues than these have due jobs, and no live worker"))
        let whole = try #require(try await object("/queues?count=all")["rows"] as? [[String: Any]])
        #expect(whole.dropFirst().allSatisfy { $0["due"] as? Int == 501 })
    }

    @Test func `a verb for all counts no further than it goes`() async throws {
        try await fill("(VALUES ('deep'))", 10_005)
        let many = try await object("/jobs/cancel?queue=deep")
        #expect(many["total"] as? Int == 10_001)
        let page = try await html("/jobs/cancel?queue=deep")
        #expect(page.contains("more than 10000") && page.contains("The newest 100 of what"))
        let some = try await html("/jobs/cancel?queue=deep&state=available")
        #expect(some.contains("more than 10000") && some.contains("and more"))
        let refused = try await Answer.to(
            "/jobs/cancel?queue=deep", .post, "token=\(session.token)&all=10001"
        ) { await console.respond(to: $0, in: session) }
        #expect(refused.status == 400 && refused.text.contains("more than 10000 jobs match"))
        let one = try await object("/jobs/cancel?queue=desk")
        #expect(one["total"] as? Int == 1)
    }

    @Test(arguments: [
        "/queues?count=7", "/queues/desk?count=ALL", "/kinds?count=true", "/statistics?count=1",
    ])
    func `what counting means is said`(path: String) async throws {
        let answer = try await ask(path, "application/json")
        #expect(answer.status == 400 && answer.text.contains("give all, or leave it out"))
    }
}
