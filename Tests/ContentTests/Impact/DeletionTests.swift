import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// Items that are deleted, by the real jobs and the real deletion.
@Suite struct DeletionTests {
    private func deletion(_ bench: FetchBench) -> ItemDeletion {
        ItemDeletion(client: bench.fixture.client, pool: bench.pool, as: "ada")
    }

    private func rows(_ bench: FetchBench, of url: String) async throws -> Int64 {
        try await bench.pool.query(
            """
            SELECT (SELECT count(*) FROM content.item WHERE id = d)
                   + (SELECT count(*) FROM content.item_field WHERE item = d)
                   + (SELECT count(*) FROM content.version WHERE item = d)
                   + (SELECT count(*) FROM content.candidate WHERE item = d)
                   + (SELECT count(*) FROM content.fetch_run WHERE item = d)
                   + (SELECT count(*) FROM content.reference WHERE item = d)
                   + (SELECT count(*) FROM content.anchor WHERE item = d)
                   + (SELECT count(*) FROM content.changed_item WHERE item = d)
                   + (SELECT count(*) FROM content.file WHERE id = d)
            FROM content.digest($1) AS d
            """, [url]
        ) { try $0.decode(0, as: Int64.self) }[0]
    }

    @Test func `what nobody depends on goes with all that is kept of it`() async throws {
        let bench = try await FetchBench("delete")
        bench.web.answer("/a", .page("<h1 id=x>One</h1> two three <a href=/b>b</a>"))
        let item = try await bench.run(bench.fetch("/a"))
        #expect(try await rows(bench, of: item.url) > 3)
        let result = try await deletion(bench).delete([.url(item.url)])
        #expect(result.isDone && result.impacts.map(\.verdict) == [.safe])
        #expect(try await rows(bench, of: item.url) == 0)
        #expect(try await bench.state(of: item.url) == "none")
        let noted = try await bench.value(
            "SELECT deleted_by || ' ' || verdict FROM content.deletion", as: String.self)
        #expect(noted == "ada safe")
        // Whoever fetches it anew has it back.
        #expect(try await bench.run(bench.fetch("/a")).outcome == .stored)
    }

    @Test func `what somebody depends on stays, unless it is forced`() async throws {
        let bench = try await FetchBench("depend")
        bench.web.answer("/a", .page("<p>One two"))
        bench.web.answer("/soft", .page("<p><a href=/a>to a</a>"))
        bench.web.answer("/hard", .page("<iframe src=/a></iframe>"))
        let item = try await bench.run(bench.fetch("/a"))
        let name = ItemName.url(item.url)
        try await bench.run(bench.fetch("/soft"))
        let linked = try await deletion(bench).delete([name])
        #expect(!linked.isDone && linked.impacts.map(\.verdict) == [.safeWithRedirect])
        try await bench.run(bench.fetch("/hard"))
        for permit in [ItemDeletion.Permit.safe, .redirected] {
            let result = try await deletion(bench).delete([name], permit: permit)
            #expect(!result.isDone && result.impacts.map(\.verdict) == [.unsafe])
            #expect(result.impacts[0].places.map(\.page).first == bench.web.url + "/hard")
        }
        #expect(try await rows(bench, of: item.url) > 0)
        // All three together: nothing is left that would break.
        let all = ["/a", "/soft", "/hard"].map { ItemName.url(bench.web.url + $0) }
        #expect(try await Impact(pool: bench.pool).of(all).allSatisfy { $0.verdict == .safe })
        let forced = try await deletion(bench).delete([name], permit: .all)
        #expect(forced.isDone && forced.impacts[0].hardCount == 1)
        #expect(try await rows(bench, of: item.url) == 0)
        // Whoever refers to it still has its target.
        #expect(try await bench.state(of: item.url) == "ok")
        await #expect(throws: ContentError.self) { try await deletion(bench).delete([name]) }
    }

    @Test func `a check that has read the page brings nothing back`() async throws {
        let bench = try await FetchBench("read")
        bench.web.answer("/", .page("<p>One two"))
        let item = try await bench.run(bench.fetch("/"))
        let gate = Gate()
        var slow = LocalWeb.Answer.page("<p>One two three <a href=/b>b</a>")
        slow.gate = gate
        bench.web.answer("/", slow)
        try await bench.working(firstByte: .seconds(60)) {
            var options = SiteCheckOptions()
            options.allowedAddresses = ["127.0.0.1"]
            let check = bench.fixture.check
            let run = try await check.start(url: bench.web.url + "/", options)
            try await gate.reached()
            #expect(try await deletion(bench).delete([.url(item.url)]).isDone)
            gate.open()
            _ = try await check.wait(run)
        }
        #expect(try await rows(bench, of: item.url) == 0)
    }

    @Test(arguments: [ContentFetch.Mode.article, .file])
    func `a fetch that is under way brings nothing back`(_ mode: ContentFetch.Mode) async throws {
        let bench = try await FetchBench("running")
        bench.web.answer("/a", .page("<p>One two"))
        let item = try await bench.run(bench.fetch("/a", mode: mode))
        let gate = Gate()
        var slow = LocalWeb.Answer.page("<p>One two three")
        slow.gate = gate
        bench.web.answer("/a", slow)
        let job = try await bench.enqueue(bench.fetch("/a", mode: mode))
        let end = try await bench.working(firstByte: .seconds(60)) {
            try await gate.reached()
            let result = try await deletion(bench).delete([.url(item.url)])
            #expect(result.isDone && result.supersededJobs >= 1)
            gate.open()
            return try await bench.ended(job)
        }
        #expect(end.state == "superseded")
        #expect(try await rows(bench, of: item.url) == 0)
        let left = try await bench.value(
            "SELECT count(*) FROM tenure.job WHERE kind = 'content-fetch'", as: Int64.self)
        #expect(left == 0)
    }

    private func look(at url: String, _ bench: FetchBench) async throws {
        let job = try await bench.fixture.client.enqueue(DependencyCheck(target: url))
        _ = try await bench.working { try await bench.ended(job.id) }
    }

    private func eventually(_ bench: FetchBench, _ sql: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            if try await bench.value(sql, as: Bool.self) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("never: \(sql)")
    }

    @Test func `what redirected to it is looked at anew, and that is an event`() async throws {
        let bench = try await FetchBench("alias")
        bench.web.answer("/a", .page("<p>One two"))
        bench.web.answer("/alias", .redirect(302, "/a"))
        bench.web.answer("/p", .page("<a href=/alias>to a</a>"))
        let item = try await bench.run(bench.fetch("/a"))
        try await bench.run(bench.fetch("/p"))
        let alias = bench.web.url + "/alias"
        try await look(at: alias, bench)
        #expect(try await bench.state(of: alias) == "redirected")
        bench.web.answer("/alias", .status(404))
        #expect(try await deletion(bench).delete([.url(item.url)], permit: .redirected).isDone)
        #expect(try await bench.state(of: alias) == "unchecked")
        try await bench.working {
            try await eventually(
                bench,
                "SELECT count(*) = 1 FROM content.target WHERE href = '\(alias)' "
                    + "AND state = 'suspect'")
        }
        let events = try await Memory.events(of: alias, in: bench.pool).map(\.change)
        #expect(
            events == ["unchecked → redirected", "redirected → unchecked", "unchecked → suspect"])
    }

    @Test func `checks that nobody needs any more go with it`() async throws {
        let bench = try await FetchBench("needless")
        bench.web.answer("/a", .page("<a href=/gone>1</a> <a href=/both>2</a>"))
        bench.web.answer("/b", .page("<a href=/both>2</a>"))
        let item = try await bench.run(bench.fetch("/a"))
        try await bench.run(bench.fetch("/b"))
        for path in ["/gone", "/both"] { try await look(at: bench.web.url + path, bench) }
        @Sendable func due(_ path: String) -> String {
            let look = TargetLook(confirming: bench.web.url + path).key
            return "SELECT count(*) = 1 FROM tenure.job WHERE key = '\(look)'"
        }
        #expect(try await bench.value(due("/gone"), as: Bool.self))
        #expect(try await deletion(bench).delete([.url(item.url)]).isDone)
        try await bench.working {
            try await eventually(bench, "SELECT NOT (\(due("/gone")))")
            try await eventually(bench, "SELECT count(*) = 0 FROM content.dropped_edge")
        }
        #expect(try await bench.value(due("/both"), as: Bool.self))
    }
}
