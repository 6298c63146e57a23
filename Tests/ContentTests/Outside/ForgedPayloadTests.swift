import Tenure
import TenureFoundation
import Testing

@testable import Content

/// A producer says in its payload what only a worker can know.
@Suite struct ForgedPayloadTests {
    /// As whoever enqueues by SQL may write it.
    private struct ForgedFetch: Job {
        static let kind = ContentFetch.kind
        static let options = JobOptions<Self>()
        struct Trail: Codable, Sendable {
            struct Hop: Codable, Sendable {
                var url: String
                var status = 301
            }
            var hops: [Hop]
            var next: String
        }
        var url: String
        var mode: String
        var trail: Trail
    }

    private struct ForgedLook: Job {
        static let kind = DependencyCheck.kind
        static let options = JobOptions<Self>()
        var scope = "target"
        var url: String
        var trail: ForgedFetch.Trail
    }

    private static let victim = "http://victim.example/page"
    private static let attacker = "http://attacker.example/x"

    private static var trail: ForgedFetch.Trail {
        ForgedFetch.Trail(hops: [ForgedFetch.Trail.Hop(url: victim)], next: attacker)
    }

    private func run(_ job: some Job, _ bench: CheckBench) async throws {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        var options = EnqueueOptions()
        options.lane = Lane("host:attacker.example", maxRunning: 2)
        options.maxAttempts = 1
        let id = try await bench.fixture.client.enqueue(job, options: options).id
        try await bench.fixture.withWorkers(configuration: configuration, transport: bench.web) {
            for _ in 0..<3000 {
                let left = try await bench.pool.query(
                    "SELECT FROM tenure.job WHERE id = $1", [id.uuid])
                if left == 0 { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("never ended")
        }
    }

    @Test(arguments: ["article", "metadata", "file"])
    func `a trail in a payload doesn't make one host's content another's item`(
        mode: String
    ) async throws {
        let bench = try await CheckBench(
            "forged",
            [
                Self.victim: FakeWeb.Page(body: "<title>mine</title><p>the victim's own words"),
                Self.attacker: FakeWeb.Page(body: "<title>theirs</title><p>an attacker's words"),
            ])
        try await run(ForgedFetch(url: Self.victim, mode: mode, trail: Self.trail), bench)
        let hosts = try await bench.pool.query(
            """
            SELECT i.final_url FROM content.item i WHERE i.final_url IS NOT NULL
            UNION ALL SELECT f.final_url FROM content.file f
            """
        ) { try $0.decode(0, as: String.self) }
        #expect(hosts == [Self.victim])
        #expect(bench.web.requests["GET \(Self.attacker)"] == nil)
    }

    @Test func `nor one host's answer another's state`() async throws {
        let bench = try await CheckBench(
            "forgedlook", [Self.attacker: FakeWeb.Page(body: "<p>well")])
        try await run(ForgedLook(url: Self.victim, trail: Self.trail), bench)
        let state = try await bench.value(
            "SELECT state FROM content.target WHERE href = '\(Self.victim)'", as: String.self)
        #expect(state == "suspect")
    }
}
