import Tenure
import TenureFoundation
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

    private let changed = ChangeFollowUp(in: .default).key

    /// Nothing is left to follow up.
    private func rested(_ fixture: ContentFixture) async throws {
        try await eventually(fixture, "SELECT count(*) = 0 FROM content.changed_item")
    }

    @Test func `ten edits of three items make one check of what is new`() async throws {
        let fixture = try await ContentFixture("edits")
        let web = FakeWeb(["https://other.test/new": .init()])
        let configuration = Self.configuration(pause: .seconds(600))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            for edit in 1...10 {
                for page in ["", "b", "c"] {
                    let link = "<a href=https://other.test/new>n</a>"
                    web.put(site + page, .init(body: "<p>edit \(edit) \(link)"))
                    try await fetch(site + page, fixture)
                }
            }
            let waiting = try await Inspector(pool: fixture.pool)
                .unfinished(of: DependencyCheck.kind, keys: [changed])
            #expect(waiting.count == 1)
            // As if they had come to rest.
            try await fixture.pool.query(
                "UPDATE content.changed_item SET last_at = last_at - interval '1 hour'")
            _ = try await Operator(client: fixture.client, as: "a test").retry(waiting[0].id)
            try await rested(fixture)
            try await eventually(
                fixture, "SELECT state = 'ok' FROM content.target WHERE href LIKE '%/new'")
            // One run has seen to all of them.
            try await eventually(
                fixture,
                "SELECT coalesce(sum((result ->> 'items')::int) = 3 AND "
                    + "count(*) FILTER (WHERE (result ->> 'items')::int > 0) = 1, false) "
                    + "FROM tenure.job_history WHERE key = '\(changed)'")
        }
        #expect(web.requests["HEAD https://other.test/new"] == 1)
    }

    @Test func `an item that doesn't come to rest is waited for`() async throws {
        let fixture = try await ContentFixture("restless")
        let web = FakeWeb([site: .init(body: "<p>one <a href=/b>b</a>")])
        let configuration = Self.configuration(pause: .milliseconds(500))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            try await fetch(site, fixture)
            try await fixture.pool.query(
                "UPDATE content.changed_item SET last_at = clock_timestamp() + interval '1 hour'")
            try await eventually(
                fixture, "SELECT count(*) > 1 FROM tenure.job_history WHERE key = '\(changed)'")
            let left = try await fixture.pool.query("SELECT FROM content.changed_item")
            #expect(left == 1)
            // But not for ever.
            try await rested(fixture)
        }
    }

    @Test func `a change that nobody has called the job for calls it itself`() async throws {
        let fixture = try await ContentFixture("uncalled")
        let web = FakeWeb([:])
        let configuration = Self.configuration(pause: .milliseconds(20))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            // Faster than once a second, each after the end of the job before.
            for edit in 1...4 {
                web.put(site, .init(body: "<p>edit \(edit) <a href=/b\(edit)>b</a>"))
                try await fetch(site, fixture)
                try await rested(fixture)
            }
        }
    }

    @Test func `a change that is committed after the job has looked is not lost`() async throws {
        let fixture = try await ContentFixture("late")
        let web = FakeWeb([site: .init(body: "<p>one <a href=/b>b</a>")])
        let ended = "SELECT count(*) > $1 FROM tenure.job_history WHERE key = '\(changed)'"
        let configuration = Self.configuration(pause: .seconds(2))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            try await fetch(site, fixture)
            try await fixture.pool.transaction(isolation: .readCommitted) { transaction in
                let note = NoteChanges(
                    items: [Digest.id(of: site + "c")], queue: .default, pause: .seconds(2))
                // It relies on the job that the fetch has enqueued.
                #expect(try await transaction.execute(note).isEmpty)
                // That runs, sees nothing of it, and goes on while it may still be committed.
                try await eventually(fixture, ended, [Int64(1)])
                let left = try await fixture.pool.query("SELECT FROM content.changed_item")
                #expect(left == 1)
            }
            try await rested(fixture)
        }
    }

    @Test func `changes that nobody follows up are no reason to call nobody for long`() async throws
    {
        let fixture = try await ContentFixture("given-up")
        func note(_ name: String) async throws -> [Bool] {
            try await fixture.pool.execute(
                NoteChanges(items: [Digest.id(of: name)], queue: .default, pause: .seconds(1)))
        }
        #expect(try await note("a") == [true])
        #expect(try await note("b").isEmpty)
        try await fixture.pool.query(
            "UPDATE content.changed_item SET called_at = called_at - interval '1 second'")
        #expect(try await note("c") == [true])
    }

    /// What somebody holds until the commit, so that the queue's job goes on, stays in that queue.
    @Test func `a note stays with its queue`() async throws {
        let fixture = try await ContentFixture("queues")
        func note(_ queue: QueueName) async throws -> [Bool] {
            try await fixture.pool.execute(
                NoteChanges(items: [Digest.id(of: "a")], queue: queue, pause: .seconds(60)))
        }
        #expect(try await note("one") == [true])
        #expect(try await note("two") == [true])
        #expect(try await note("one").isEmpty)
        for queue in ["one", "two"] as [QueueName] {
            let seen = try await fixture.pool.execute(
                ListChanges(queue: queue, pause: .zero))
            #expect(seen.count == 1)
            _ = try await fixture.pool.execute(ForgetChanges(queue: queue, changes: seen))
            #expect(
                try await fixture.pool.execute(ListChanges(queue: queue, pause: .zero)).isEmpty)
        }
    }

    @Test func `a check that nobody needs any more is dropped`() async throws {
        let fixture = try await ContentFixture("dropped")
        // Missing: a second look is due in ten minutes.
        let link = "<a href=https://other.test/dead>d</a>"
        let web = FakeWeb([site: .init(body: "<p>one \(link)")])
        let look = TargetLook(confirming: "https://other.test/dead").key
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
            try await rested(fixture)
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
                "SELECT count(*) FILTER (WHERE (result ->> 'missingFragments')::int = 1) > 0 "
                    + "FROM tenure.job_history WHERE key = '\(changed)'")
        }
    }

    @Test func `a fragment's change is an event, with the time that it was last there`()
        async throws
    {
        let fixture = try await ContentFixture("fragment-events")
        let target = "https://site.test/b"
        let web = FakeWeb([
            site: .init(body: "<a href=/b#x>x</a> <a href=/moved#x>y</a>"),
            "https://site.test/moved": .init(status: 301, headers: ["Location": "/b"]),
            target: .init(body: "<i id=x></i>"),
        ])
        let events = """
            SELECT coalesce(string_agg(split_part(t.href, '/', 4) || ': ' || e.before || ' → '
                       || e.after, ', ' ORDER BY t.href), '') = $1
            FROM content.target_event e JOIN content.target t ON t.id = e.target
            WHERE e.fragment = 'x' AND e.after = $2
            """
        let configuration = Self.configuration(pause: .milliseconds(100))
        try await fixture.withWorkers(configuration: configuration, transport: web) { [site] in
            try await fetch(target, fixture)
            try await fetch(site, fixture)
            try await eventually(
                fixture, "SELECT state = 'redirected' FROM content.target WHERE href LIKE '%moved'")
            web.put(target, .init(body: "<i id=z></i>"))
            try await fetch(target, fixture)
            try await eventually(
                fixture, events,
                [
                    "b: ok → missing fragment, moved: unchecked → missing fragment",
                    "missing fragment",
                ])
            try await eventually(
                fixture,
                "SELECT count(*) = 2 AND count(last_ok_at) = 1 FROM content.target_fragment")
            web.put(target, .init(body: "<i id=x></i>"))
            try await fetch(target, fixture)
            try await eventually(
                fixture, events,
                ["b: missing fragment → ok, moved: missing fragment → ok", "ok"])
        }
    }
}
