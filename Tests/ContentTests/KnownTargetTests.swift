import FoundationEssentials
import Tenure
import Testing

@testable import Content

/// What is read of targets without a lock, and what a process believes of them.
@Suite struct KnownTargetTests {
    private let site = "https://site.test/"

    private static var configuration: ContentConfiguration {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        configuration.changePause = .seconds(600)
        return configuration
    }

    @Test func `what was deleted since a process has made it is made anew`() async throws {
        let fixture = try await ContentFixture("anew")
        let web = FakeWeb([:])
        let configuration = Self.configuration
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            for edit in 1...3 {
                web.put(site, .init(body: "<p>edit \(edit) <a href=/b>b</a> <a href=/c>c</a>"))
                let fetch = ContentFetch(url: site, force: true)
                var options = fetch.options(configuration)
                options.maxAttempts = 1
                try await fixture.client.enqueue(fetch, options: options)
                let end = ContinuousClock.now + .seconds(60)
                var ended: [Int64] = []
                while ended != [Int64(edit)], ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(20))
                    ended = try await fixture.pool.query(
                        "SELECT count(*) FROM tenure.job_history WHERE outcome = 'completed'"
                    ) { try $0.decode(0) }
                }
                #expect(ended == [Int64(edit)])
                let held = try await fixture.pool.query(
                    "SELECT FROM content.reference r JOIN content.target t ON t.id = r.target")
                let own = try await fixture.pool.query(
                    "SELECT FROM content.target WHERE href = $1 AND state = 'ok'", [site])
                #expect(held == 2 && own == 1)
                // First what it refers to, then its own.
                try await fixture.pool.query(
                    "DELETE FROM content.target WHERE (href = $1) = $2", [site, edit == 2])
            }
        }
    }

    @Test func `a visit is not taken into what has changed since it was read`() async throws {
        let fixture = try await ContentFixture("taken")
        let pool = fixture.pool
        let id = Digest.id(of: site)
        _ = try await pool.execute(StoreTargets(hrefs: [site]))
        func take(_ known: RecallTarget.Row) async throws -> Int {
            var history = known.target.history
            let visit = Visit(state: .ok, status: 200)
            _ = history.take(visit, strict: false, now: known.target.now)
            let update = UpdateTarget(
                href: site, before: known.target.history.state, history: history, visit: visit,
                now: known.target.now)
            return try await pool.execute(
                TakeVisit(id: id, update: update, version: known.version)
            ).count
        }
        let old = try #require(try await pool.execute(RecallTarget(id: id)).first)
        // Somebody else was there, and has noted a failure.
        try await pool.query("UPDATE content.target SET failures = 1, state = 'suspect'")
        #expect(try await take(old) == 0)
        #expect(try await pool.query("SELECT FROM content.target WHERE failures = 1") == 1)
        #expect(try await pool.query("SELECT FROM content.target_event") == 0)
        // Who only holds it has changed nothing.
        let new = try #require(try await pool.execute(RecallTarget(id: id)).first)
        let taken = try await pool.transaction { transaction in
            _ = try await transaction.execute(HoldTargets(hrefs: [site]))
            return try await take(new)
        }
        #expect(taken == 1)
        #expect(try await pool.query("SELECT FROM content.target_event WHERE after = 'ok'") == 1)
    }
}
