import Content
import Foundation
import Tenure
import TestSupport
import Testing

/// What is told of a check, and what isn't.
@Suite struct NoticeTests {
    private func bench(_ label: String, tellsChanges: Bool = false) async throws -> SiteBench {
        let bench = try await SiteBench(label)
        try await bench.addSink()
        try await bench.watch(tellsChanges: tellsChanges)
        return bench
    }

    @Test func `what was broken before the first check is known, and no news`() async throws {
        let bench = try await bench("known")
        bench.web.answer("/docs/three", .status(404))
        try await bench.check()
        try await bench.check()
        #expect(try bench.notices().isEmpty)
        #expect(try await bench.sites.site(bench.name).broken == 1)
        bench.web.answer("/docs/three", .page("<p>three"))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("mended") } == [["three"]])
    }

    @Test func `a check makes one notice, however much breaks`() async throws {
        let bench = try await bench("digest")
        let links = (0..<130).map { "<a href=n\($0)>n</a>" }.joined()
        bench.web.answer("/docs/", .page("<a href=two>two</a> <a href=three>three</a>" + links))
        for number in 0..<130 { bench.web.answer("/docs/n\(number)", .page("<p>n")) }
        try await bench.check()
        for number in 0..<130 { bench.web.answer("/docs/n\(number)", .status(410)) }
        bench.web.answer("/docs/two", .page("<a href=three#none>three</a>"))
        try await bench.check()
        let told = try bench.notices()
        #expect(told.count == 1)
        let counts = told.first?.body["counts"] as? [String: Int]
        #expect(counts == ["broken": 131, "mended": 0, "changed": 0, "standing": 131])
        #expect(told.first?.targets("broken").count == 100)
        try await bench.check()
        #expect(try bench.notices().count == 1)
    }

    @Test func `what is neither well nor broken for a while is told once`() async throws {
        let bench = try await bench("between")
        try await bench.check()
        for status in [404, 403, 404, 200] {
            bench.web.answer("/docs/two", .status(status))
            try await bench.check()
        }
        let told = try bench.notices()
        #expect(told.map { $0.targets("broken") } == [["two"], []])
        #expect(told.map { $0.targets("mended") } == [[], ["two"]])
    }

    @Test func `what can't be seen for a while is not mended by that`() async throws {
        let bench = try await bench("unseen")
        bench.web.answer(
            "/docs/", .page("<a href=moved>m</a> <a href=two>two</a> <a href=three>three</a>"))
        bench.web.answer("/docs/two", .page("<a href=three#here>here</a>"))
        bench.web.answer("/docs/three", .page("<p id=here>three"))
        bench.web.answer("/docs/moved", .redirect(302, "/docs/end"))
        bench.web.answer("/docs/end", .page("<p>end"))
        try await bench.check()
        bench.web.answer("/docs/end", .status(404))
        bench.web.answer("/docs/three", .page("<p>three"))
        try await bench.check()
        #expect(try bench.notices().map { Set($0.targets("broken")) } == [["moved", "three#here"]])
        // The redirect leads to what refuses to answer; so does the page that names the heading.
        bench.web.answer("/docs/end", .status(403))
        bench.web.answer("/docs/two", .status(403))
        try await bench.check()
        #expect(try bench.notices().count == 1)
        bench.web.answer("/docs/end", .page("<p>end"))
        bench.web.answer("/docs/two", .page("<p>two"))
        try await bench.check()
        let last = try #require(try bench.notices().last)
        #expect(Set(last.targets("mended")) == ["moved", "three#here"])
    }

    /// By an operator's hand: `tenure job retry`.
    @Test func `a check that ends again tells nothing again`() async throws {
        let bench = try await bench("again")
        try await bench.check()
        bench.web.answer("/docs/two", .status(404))
        try await bench.check()
        let last = try await bench.value(
            "SELECT last_check::text FROM content.site", as: String.self)
        try await bench.pool.simple("DELETE FROM content.site_broken")
        let id = try #require(JobID(last))
        _ = try await Operator(client: bench.fixture.client, as: "ada").retry(id)
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(try bench.notices().count == 1)
    }

    @Test func `a link that was taken out is mended, and one that can't be seen isn't`()
        async throws
    {
        let bench = try await bench("unlinked")
        bench.web.answer("/docs/two", .page("<a href=deep>deep</a>"))
        bench.web.answer("/docs/deep", .status(404))
        try await bench.check()
        // Whether the page still refers to it: nobody knows.
        bench.web.answer("/docs/two", .status(404))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("mended") } == [[]])
        bench.web.answer("/docs/two", .page("<p>two"))
        try await bench.check()
        let last = try #require(try bench.notices().last)
        #expect(
            Set(zip(last.targets("mended"), last.mends()).map { "\($0) \($1)" })
                == ["deep unlinked", "two answers"])
    }

    @Test func `a missing anchor is news, and its return`() async throws {
        let bench = try await bench("anchor")
        bench.web.answer("/docs/", .page("<a href=two#here>two</a>"))
        bench.web.answer("/docs/two", .page("<p id=here>two"))
        try await bench.check()
        bench.web.answer("/docs/two", .page("<p id=there>two"))
        try await bench.check()
        bench.web.answer("/docs/two", .page("<p id=here>two"))
        try await bench.check()
        let told = try bench.notices()
        #expect(told.map { $0.targets("broken") } == [["two#here"], []])
        #expect(told.map { $0.targets("mended") } == [[], ["two#here"]])
    }

    @Test func `changes are told where somebody asked for them`() async throws {
        for asked in [false, true] {
            let bench = try await bench("changes", tellsChanges: asked)
            try await bench.check()
            bench.web.answer("/docs/two", .page("<h1 id=new>two</h1><a href=three>three</a>"))
            try await bench.check()
            let changed = try bench.notices().map { $0.body["changed"] as? [String] ?? [] }
            #expect(changed == (asked ? [["\(bench.url)two"]] : []))
        }
    }

    /// A foreign host's first failure is a suspicion: what a later look makes of it, the check
    /// after that tells.
    @Test func `a suspect is told by the check that finds it confirmed`() async throws {
        let bench = try await bench("suspect")
        let other = try LocalWeb()
        other.answer("/x", .page("<p>x"))
        bench.web.answer("/docs/", .page("<a href='\(other.url)/x'>x</a>"))
        try await bench.pool.simple(
            "UPDATE content.site SET options = options "
                + "|| '{\"contact\": \"tests\", \"freshSeconds\": 0}'")
        try await bench.check()
        other.answer("/x", .status(404))
        try await bench.check()
        #expect(try bench.notices().isEmpty)
        let clock = TestClock(pool: bench.pool)
        try await clock.advance(by: .seconds(700))
        try await bench.check()
        #expect(try bench.notices().map { $0.targets("broken") } == [["x"]])
    }

    @Test func `a removed site tells nothing`() async throws {
        let bench = try await bench("untold")
        try await bench.check()
        bench.web.answer("/docs/two", .status(404))
        try await bench.pool.simple(
            """
            CREATE FUNCTION public.leave() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN DELETE FROM content.site; RETURN NEW; END $$;
            CREATE TRIGGER leave AFTER INSERT ON content.check_target
            FOR EACH STATEMENT EXECUTE FUNCTION public.leave();
            """)
        try await bench.check()
        #expect(try await bench.value("SELECT count(*) FROM content.notice") == Int64(0))
    }

    /// In one transaction: whatever goes wrong in it, what is told and what is known go together.
    @Test func `what a check has to tell is written with its end, or not at all`() async throws {
        let bench = try await bench("together")
        try await bench.check()
        bench.web.answer("/docs/two", .status(404))
        try await bench.pool.simple(
            """
            CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE 'not now'; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON content.check_finding
            FOR EACH ROW EXECUTE FUNCTION public.refuse();
            """)
        try await bench.withWorkers {
            _ = try await bench.sites.check(bench.name)
            try await bench.eventually(
                "SELECT EXISTS (SELECT FROM tenure.job j WHERE j.state = 'retryable')")
        }
        #expect(try await bench.value("SELECT count(*) FROM content.notice") == Int64(0))
        #expect(try await bench.value("SELECT count(*) FROM content.site_broken") == Int64(0))
        try await bench.pool.simple("DROP TRIGGER refuse ON content.check_finding")
        try await TestClock(pool: bench.pool).advance(by: .seconds(60))
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(try bench.notices().map { $0.targets("broken") } == [["two"]])
    }
}
