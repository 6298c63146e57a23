import Content
import Foundation
import Synchronization
import Tenure
import TestSupport
import Testing

/// Whether what is told arrives.
@Suite struct ChannelTests {
    private func test(_ bench: SiteBench, _ name: String = "ops") async throws -> UUID {
        let id = try await bench.channels.test(name)
        try await bench.withWorkers {
            try await bench.eventually(
                """
                SELECT sent_at IS NOT NULL OR failed_at IS NOT NULL FROM content.delivery
                WHERE notice = '\(id)'
                """)
            try await bench.eventually(
                "SELECT NOT EXISTS (SELECT FROM tenure.job j WHERE j.state = 'running')")
        }
        return id
    }

    private func error(_ bench: SiteBench, _ id: UUID, _ name: String = "ops") async throws
        -> String?
    {
        guard case .unsent(let error) = try await bench.channels.arrival(of: id, at: name) else {
            return nil
        }
        return error
    }

    @Test func `a notice that is refused at first comes again, under the same id`() async throws {
        let bench = try await SiteBench("again")
        try await bench.addSink()
        bench.web.answer("/sink", .status(500))
        let id = try await test(bench)
        #expect(try await error(bench, id)?.contains("500") == true)
        bench.web.answer("/sink", .status(204))
        try await TestClock(pool: bench.pool).advance(by: .seconds(60))
        try await bench.withWorkers {
            try await bench.eventually("SELECT sent_at IS NOT NULL FROM content.delivery")
        }
        let told = try bench.notices()
        #expect(told.count == 2)
        #expect(Set(told.map(\.id)) == [id.uuidString.lowercased()])
        #expect(told.allSatisfy { $0.request["Tenure-Notice"] == $0.id })
        #expect(told[0].request.body == told[1].request.body)
        for notice in told { try Signature.expect(on: notice.request, secret: SiteBench.secret) }
        #expect(try await error(bench, id) == nil)
    }

    @Test func `a 410 pauses the channel, and whoever resumes it loses nothing`() async throws {
        let bench = try await SiteBench("gone")
        try await bench.addSink()
        bench.web.answer("/sink", .status(410))
        _ = try await test(bench)
        let paused = try #require(try await bench.channels.list().first)
        #expect(paused.pausedAt != nil && paused.unsent == 1)
        #expect(paused.pausedWhy?.contains("410") == true)
        // Nothing is sent there meanwhile.
        let second = try await bench.channels.test("ops")
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(bench.web.requests("/sink").count == 1)
        bench.web.answer("/sink", .status(200))
        let resumed = try await bench.channels.resume("ops")
        #expect(resumed.wasPaused && resumed.notices == 2)
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(sent_at) = 2 FROM content.delivery")
        }
        #expect(try bench.notices().map(\.id).contains(second.uuidString.lowercased()))
        let again = try await bench.channels.resume("ops")
        #expect(!again.wasPaused && again.notices == 0)
    }

    @Test func `what waits for its next attempt is sent by a resume, at once`() async throws {
        let bench = try await SiteBench("resumed")
        try await bench.addSink()
        bench.web.answer("/sink", .status(500))
        _ = try await test(bench)
        bench.web.answer("/sink", .status(200))
        try await bench.pool.simple("UPDATE tenure.job SET run_at = run_at + interval '1 day'")
        let resumed = try await bench.channels.resume("ops")
        #expect(!resumed.wasPaused && resumed.notices == 1)
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(sent_at) = 1 FROM content.delivery")
        }
        #expect(try bench.notices().count == 2)
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(0))
    }

    @Test func `Slack's form is one text, whose address has the secret`() async throws {
        let bench = try await SiteBench("slack")
        bench.web.answer("/services/\(SiteBench.secret)", .status(200))
        try await bench.channels.add(
            try NewChannel(
                "team", .slack, to: "\(bench.web.url)/services/{secret}",
                secret: try SecretReference(variable: "TENURE_SECRET_HOOK")))
        try await bench.watch(channels: ["team"])
        try await bench.check()
        bench.web.answer("/docs/two", .status(404))
        try await bench.check()
        let sent = try bench.notices("/services/\(SiteBench.secret)")
        let text = try #require(sent.first?.body["text"] as? String)
        #expect(sent.count == 1 && sent[0].body.count == 1)
        #expect(text.hasPrefix("*\(bench.url)*: 1 newly broken; 1 broken in all\n"))
        #expect(text.contains("\nbroken: \(bench.url)two (404) on \(bench.url):1\n"))
        #expect(sent[0].request["Tenure-Notice"].map { text.hasSuffix("notice \($0)") } == true)
    }

    @Test func `what keeps a notice is said, and no secret with it`() async throws {
        let bench = try await SiteBench("problems")
        let cases: [(address: String, secret: SecretReference?, words: [String])] = [
            ("http://10.1.2.3/hook", nil, ["refusedAddress"]),
            ("\(bench.web.url)/moved", nil, ["302", "redirects"]),
            (
                "\(bench.web.url)/sink", try SecretReference(variable: "TENURE_SECRET_NONE"),
                ["TENURE_SECRET_NONE"]
            ),
            ("\(bench.web.url)/sink", try SecretReference(file: "hook"), ["hook in /nowhere"]),
            ("http://127.0.0.1:1/x", nil, ["connectRefused"]),
        ]
        bench.web.answer("/moved", .redirect(302, "/sink"))
        for (index, problem) in cases.enumerated() {
            let name = "c\(index)"
            try await bench.channels.add(
                try NewChannel(name, .webhook, to: problem.address, secret: problem.secret))
            let id = try await test(bench, name)
            let error = try await error(bench, id, name) ?? ""
            for word in problem.words { #expect(error.contains(word), "\(error)") }
            #expect(!error.contains(SiteBench.secret) && !error.contains("http://"), "\(error)")
        }
        #expect(bench.web.requests("/sink").isEmpty)
    }

    /// Whoever may add a channel could have anything sent to an address of theirs.
    @Test func `no other variable and no other file can be named`() {
        for name in ["PATH", "DATABASE_URL", "TENURE_SECRET_", "TENURE_SECRET_a b", ""] {
            #expect(throws: ContentError.self) { try SecretReference(variable: name) }
        }
        for name in ["/etc/passwd", "../x", ".hidden", "a/b", ""] {
            #expect(throws: ContentError.self) { try SecretReference(file: name) }
        }
    }

    @Test func `an address is refused by its name`() throws {
        let secret = try SecretReference(variable: "TENURE_SECRET_HOOK")
        for (kind, address, secret) in [
            (Channel.Kind.webhook, "ftp://a.test/", nil), (.webhook, "nonsense", nil),
            (.webhook, "https://u:p@a.test/", nil), (.slack, "https://a.test/{secret}", nil),
            (.slack, "https://hooks.slack.com/services/T/B/x", secret),
        ] as [(Channel.Kind, String, SecretReference?)] {
            #expect(throws: ContentError.self, "\(address)") {
                try NewChannel("ops", kind, to: address, secret: secret)
            }
        }
        #expect(throws: ContentError.self) {
            try NewChannel("o ps", .webhook, to: "https://a.test/")
        }
    }

    @Test func `a channel that is removed is left by its sites`() async throws {
        let bench = try await SiteBench("left")
        try await bench.addSink()
        try await bench.watch()
        #expect(try await bench.channels.remove("ops") == [bench.url])
        #expect(try await bench.sites.site(bench.name).channels.isEmpty)
        let unknown = await #expect(throws: ContentError.self) {
            try await bench.channels.remove("ops")
        }
        #expect(unknown?.code == .unknownChannel)
        let missing = await #expect(throws: ContentError.self) {
            _ = try await bench.sites.add("http://127.0.0.1/b", channels: ["ops"])
        }
        #expect(missing?.code == .refusedURL || missing?.code == .unknownChannel)
    }

    /// What is locked by one transaction for all would hold up whoever sends meanwhile.
    @Test func `a resume of many goes in bites, and goes on where it broke off`() async throws {
        let bench = try await SiteBench("bites")
        try await bench.addSink()
        try await bench.pool.simple(
            """
            WITH made AS (
                INSERT INTO content.notice (id, body)
                SELECT gen_random_uuid(), '{}' FROM generate_series(1, 1200) RETURNING id
            )
            INSERT INTO content.delivery (notice, channel, queue)
            SELECT m.id, 'ops', 'default' FROM made m;
            UPDATE content.channel SET paused_at = now(), paused_why = 'x';
            CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF (SELECT count(*) FROM tenure.job) >= 1000 THEN RAISE 'no more'; END IF;
                RETURN NULL;
            END $$;
            CREATE TRIGGER refuse AFTER INSERT ON tenure.job
            FOR EACH STATEMENT EXECUTE FUNCTION public.refuse();
            """)
        await #expect(throws: (any Error).self) { try await bench.channels.resume("ops") }
        let some = try await bench.value("SELECT count(*) FROM tenure.job", as: Int64.self)
        #expect(some > 0 && some < 1000)
        try await bench.pool.simple("DROP TRIGGER refuse ON tenure.job")
        let resumed = try await bench.channels.resume("ops")
        #expect(!resumed.wasPaused && resumed.notices == 1200)
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(1200))
        let bites = try await bench.value(
            "SELECT count(DISTINCT xmin::text) FROM tenure.job", as: Int64.self)
        #expect(bites == 3)
    }

    @Test func `a channel of a kind that isn't known stops no other`() async throws {
        let bench = try await SiteBench("newer")
        try await bench.addSink()
        try await bench.addSink("old")
        try await bench.pool.simple(
            """
            ALTER TABLE content.channel DROP CONSTRAINT channel_kind_check;
            UPDATE content.channel SET kind = 'pager' WHERE name = 'ops'
            """)
        #expect(try await bench.channels.list().map(\.kind) == [.webhook, nil])
        #expect(try await error(bench, test(bench, "old"), "old") == nil)
        #expect(try await bench.channels.remove("ops").isEmpty)
    }

    @Test func `a notice that can't be read says so, and stops no other`() async throws {
        let bench = try await SiteBench("unread")
        bench.web.answer("/x", .status(200))
        try await bench.channels.add(try NewChannel("team", .slack, to: "\(bench.web.url)/x"))
        let id = try await bench.channels.test("team")
        try await bench.pool.simple("UPDATE content.notice SET body = '[]'")
        let other = try await test(bench, "team")
        #expect(try await error(bench, other, "team") == nil)
        #expect(try await error(bench, id, "team")?.contains("newer release") == true)
    }
}
