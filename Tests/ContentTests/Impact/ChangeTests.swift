import FoundationEssentials
import Tenure
import Testing

@testable import Content

/// What follows from an item's change.
@Suite struct ChangeTests {
    private let site = "https://site.test/"

    private static func configuration(pause: Duration) -> ContentConfiguration {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        configuration.contact = "tests"
        configuration.changePause = pause
        return configuration
    }

    private func fetch(_ url: String, _ fixture: ContentFixture) async throws {
        let fetch = ContentFetch(url: url, force: true)
        var options = fetch.options(Self.configuration(pause: .zero))
        options.maxAttempts = 1
        let job = try await fixture.client.enqueue(fetch, options: options).id
        try await eventually(
            fixture, "SELECT count(*) = 1 FROM tenure.job_history WHERE id = $1",
            [
                job.uuid
            ])
    }

    private func eventually(
        _ fixture: ContentFixture, _ sql: String, _ parameters: [any PostgresEncodable] = []
    ) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let isSo = try await fixture.pool.query(sql, parameters) {
                try $0.decode(0, as: Bool.self)
            }
            if isSo == [true] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("never: \(sql)")
    }

    /// Jobs of the key, finished ones too.
    private func count(_ key: String, _ fixture: ContentFixture) async throws -> Int {
        var filter = JobFilter()
        filter.kind = DependencyCheck.kind
        filter.key = key
        filter.finished = true
        return try await Inspector(pool: fixture.pool).jobs(filter).count
    }

    private var changed: String { DependencyCheck(changed: site).key }

    private var isFollowed: String {
        "SELECT count(*) > 0 FROM tenure.job_history WHERE key = '\(changed)' "
            + "AND NOT EXISTS (SELECT FROM tenure.job WHERE key = '\(changed)')"
    }

    @Test func `ten edits make one check of what is new`() async throws {
        let fixture = try await ContentFixture("edits")
        let web = FakeWeb(["https://other.test/new": .init()])
        let configuration = Self.configuration(pause: .seconds(600))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            for edit in 1...10 {
                web.put(site, .init(body: "<p>edit \(edit) <a href=https://other.test/new>n</a>"))
                try await fetch(site, fixture)
            }
            // As if they had come to rest.
            var filter = JobFilter()
            filter.key = changed
            let job = try #require(try await Inspector(pool: fixture.pool).jobs(filter).first)
            _ = try await Operator(client: fixture.client, as: "a test").retry(job.id)
            try await eventually(fixture, isFollowed)
            try await eventually(
                fixture, "SELECT state = 'ok' FROM content.target WHERE href LIKE '%/new'")
        }
        #expect(try await count(changed, fixture) == 1)
        #expect(web.requests["HEAD https://other.test/new"] == 1)
    }

    @Test func `a check that nobody needs any more is dropped`() async throws {
        let fixture = try await ContentFixture("dropped")
        // Missing: a second look is due in ten minutes.
        let link = "<a href=https://other.test/dead>d</a>"
        let web = FakeWeb([site: .init(body: "<p>one \(link)")])
        let look = DependencyCheck(confirming: "https://other.test/dead", contact: nil).key
        let isDue =
            "SELECT count(*) = 1 FROM tenure.job WHERE key = '\(look)' AND state = 'scheduled'"
        let configuration = Self.configuration(pause: .milliseconds(200))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            try await fetch(site, fixture)
            try await eventually(fixture, isDue)
            // Somebody else still needs it.
            web.put("https://site.test/b", .init(body: "<p>b \(link)"))
            try await fetch("https://site.test/b", fixture)
            web.put(site, .init(body: "<p>without it"))
            try await fetch(site, fixture)
            try await eventually(
                fixture, "SELECT count(*) = 2 FROM tenure.job_history WHERE key = '\(changed)'")
            try await eventually(fixture, isDue)
            web.put("https://site.test/b", .init(body: "<p>without it, too"))
            try await fetch("https://site.test/b", fixture)
            try await eventually(
                fixture, "SELECT count(*) = 0 FROM tenure.job WHERE key = '\(look)'")
            try await eventually(fixture, "SELECT count(*) = 0 FROM content.dropped_edge")
        }
    }

    @Test func `fragments that point at it are judged anew`() async throws {
        let fixture = try await ContentFixture("fragments")
        let target = "https://site.test/b"
        let web = FakeWeb([
            site: .init(body: "<a href=/b#x>x</a> <a href=/b#y>y</a>"),
            target: .init(body: "<i id=x></i><i id=y></i>"),
        ])
        let key = DependencyCheck(changed: target).key
        let links = BrokenLinks(pool: fixture.pool)
        let configuration = Self.configuration(pause: .milliseconds(100))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            try await fetch(site, fixture)
            try await fetch(target, fixture)
            #expect(try await links.list().isEmpty)
            web.put(target, .init(body: "<i id=x></i><i id=z></i>"))
            try await fetch(target, fixture)
            let broken = try await links.list(newerThan: .seconds(3600))
            #expect(broken.map(\.code) == ["missingFragment"] && broken[0].fragment == "y")
            #expect(broken[0].places.map(\.column) == [28])
            try await eventually(
                fixture,
                "SELECT bool_or((result ->> 'missingFragments')::int = 1) "
                    + "FROM tenure.job_history WHERE key = '\(key)'")
        }
    }
}
