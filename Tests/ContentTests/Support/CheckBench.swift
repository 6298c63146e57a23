import Content
import Tenure
import Testing

/// A web by script, and checks and fetches of it.
struct CheckBench: Sendable {
    let fixture: ContentFixture
    let web: FakeWeb
    var pool: PostgresPool { fixture.pool }
    static let site = "https://site.test/"

    init(_ label: String, _ pages: [String: FakeWeb.Page]) async throws {
        fixture = try await ContentFixture(label)
        web = FakeWeb(pages)
    }

    private static var configuration: ContentConfiguration {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        configuration.contact = "tests"
        return configuration
    }

    /// Checks the site from beginning to end.
    func check(_ rules: CheckRules = CheckRules()) async throws -> CheckReport {
        var options = SiteCheckOptions()
        options.rules = rules
        options.contact = "tests"
        options.strict = true
        options.pauseSeconds = 0.01
        return try await fixture.withWorkers(
            configuration: Self.configuration, transport: web
        ) { [options] in
            let run = try await fixture.check.start(url: Self.site, options)
            _ = try await fixture.check.wait(run, every: .milliseconds(20))
            return try await fixture.check.report(run)
        }
    }

    func fetch(_ fetch: ContentFetch) async throws {
        var options = fetch.options(Self.configuration)
        options.maxAttempts = 1
        let job = try await fixture.client.enqueue(fetch, options: options).id
        try await fixture.withWorkers(configuration: Self.configuration, transport: web) {
            let end = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < end {
                let left = try await pool.query("SELECT FROM tenure.job WHERE id = $1", [job.uuid])
                if left == 0 { return }
                try await Task.sleep(for: .milliseconds(20))
            }
            Issue.record("never fetched: \(fetch.url)")
        }
    }

    func value<Value: PostgresDecodable>(_ sql: String, as: Value.Type) async throws -> Value {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }
}

extension [BrokenLink] {
    /// One line for each, as a report has it.
    var lines: [String] {
        map { link in
            let fragment = link.fragment.map { "#\($0)" } ?? ""
            let places = link.places.map { "\($0.page):\($0.line):\($0.column)" }
            return "\(link.code) \(link.target)\(fragment) at \(places.joined(separator: " "))"
        }
    }
}
