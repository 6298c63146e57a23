import Tenure
import TenureFoundation
import Testing

@testable import Content

/// What a process believes of targets.
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
}
