import Content
import Logging
import Tenure
import TenureCoordinator
import TenureFoundation
import TestSupport
import Testing

/// What is enqueued of the items that are due, with the real database and a real server.
@Suite struct RefetchRoundTests {
    @Test func `an item that is due is fetched once, and is due again later`() async throws {
        let bench = try await RefetchBench("once")
        try await bench.watch()
        try await bench.fetch("/docs/", "/docs/two")
        #expect(try await bench.due("/docs/two") > 3600)
        try await bench.refetch()
        #expect(bench.requests("/docs/two") == 1)
        try await bench.makeDue()
        #expect(try await bench.progress.due == 2)
        try await bench.round()
        try await bench.round()
        #expect(try await bench.count("tenure.job WHERE kind = 'content-fetch'") == 2)
        let progress = try await bench.progress
        #expect(progress.due == 0 && progress.enqueued == 2)
        try await bench.clock.advance(by: .seconds(60))
        try await bench.settle()
        try await bench.refetch()
        #expect(bench.requests("/docs/") == 2 && bench.requests("/docs/two") == 2)
        #expect(try await bench.due("/docs/two") > 3600)
        #expect(try await bench.progress.enqueued == 0)
    }

    @Test func `what is fresh is not asked for, however short the site's interval`() async throws {
        let bench = try await RefetchBench("max-age")
        var bounds = RefetchBounds()
        (bounds.shortest, bounds.longest) = (.seconds(60), .seconds(3600))
        try await bench.watch(bounds)
        bench.web.answer(
            "/docs/two", RefetchBench.page("t", etag: "1", "Cache-Control: max-age=86400"))
        try await bench.fetch("/docs/", "/docs/two")
        let due = try await bench.due("/docs/two")
        #expect(due > 86_000 && due <= 86_400)
        try await bench.clock.advance(by: .seconds(2 * 3600))
        try await bench.refetch()
        #expect(bench.requests("/docs/") == 2 && bench.requests("/docs/two") == 1)
        try await bench.clock.advance(by: .seconds(86_400))
        try await bench.refetch()
        #expect(bench.requests("/docs/two") == 2)
        #expect(bench.web.requests("/docs/two")[1]["If-None-Match"] == "\"1\"")
    }

    @Test func `sooner after a change, later after none; a 404 is asked for as seldom as may be`()
        async throws
    {
        let bench = try await RefetchBench("adaptive")
        try await bench.watch()
        bench.web.answer("/docs/two", RefetchBench.page("one", etag: "1"))
        try await bench.fetch("/docs/two")
        let first = try await bench.due("/docs/two")
        func look() async throws -> Double {
            try await bench.clock.advance(by: .seconds(bench.due("/docs/two")))
            try await bench.refetch()
            return try await bench.due("/docs/two")
        }
        let unchanged = try await look()
        #expect(unchanged > first)
        bench.web.answer("/docs/two", RefetchBench.page("two", etag: "2"))
        let changed = try await look()
        #expect(changed < unchanged)
        bench.web.answer("/docs/two", .status(410))
        #expect(try await look() > 28 * 86_400)
        #expect(bench.requests("/docs/two") == 4)
    }

    /// Of another queue, in which nobody works: all that a round enqueues stays there.
    @Test func `a queue's capacity is never passed, and half of it is left to others`()
        async throws
    {
        let bench = try await RefetchBench("capacity")
        let queue: QueueName = "slow"
        try await Operator(client: bench.site.fixture.client, as: "ada")
            .setCapacity(of: queue, to: 10)
        try await bench.watch(queue: queue)
        try await bench.addDue(1000)
        for _ in 0..<3 {
            try await bench.round()
            #expect(try await bench.count("tenure.job WHERE queue = 'slow'") == 5)
            // The database's count is a second old at most.
            try await Task.sleep(for: .milliseconds(1100))
        }
        #expect(try await bench.progress.why == "queue slow is full; the items wait for room")
        // Others fill it.
        for number in 0..<5 {
            let fetch = ContentFetch(url: "\(bench.web.url)/other/\(number)")
            var options = fetch.options()
            options.queue = queue
            try await bench.site.fixture.client.enqueue(
                fetch, .keeping(fetch.key), options: options)
        }
        try await bench.round()
        #expect(try await bench.count("tenure.job WHERE queue = 'slow'") == 10)
    }

    @Test func `a round takes a bite, spread over a minute, and a host no more than its share`()
        async throws
    {
        let bench = try await RefetchBench("bite")
        try await bench.watch(queue: "slow")
        try await bench.addDue(2500)
        try await bench.round()
        #expect(try await bench.count("tenure.job") == 1000)
        let spread = try await bench.count(
            "(SELECT FROM tenure.job j GROUP BY floor(extract(epoch FROM j.run_at) / 6)) AS t")
        #expect((10...11).contains(spread))
        let laned = "tenure.job WHERE priority = 6 AND lane LIKE 'host:%'"
        #expect(try await bench.count(laned) == 1000)
        // The longest overdue first.
        let left = try await bench.count(
            "content.item WHERE enqueued_at IS NOT NULL AND url ~ '/[0-9]{1,3}$'")
        #expect(left == 0)
        let polite = try await RefetchBench("polite")
        try await polite.watch(queue: "slow")
        try await polite.addDue(500)
        for jobs in [60, 120, 120, 120] {
            try await polite.round(.seconds(1))
            #expect(try await polite.count("tenure.job") == Int64(jobs))
        }
    }

    @Test func `two coordinators and their workers double nothing`() async throws {
        let bench = try await RefetchBench("two")
        try await bench.watch()
        for number in 1...30 { bench.web.answer("/docs/\(number)", .page("<p>\(number)")) }
        try await bench.addDue(30)
        var logger = Logger(label: "two")
        logger.logLevel = .critical
        let schedule = try Schedule("content-refetch", every: .milliseconds(200), ContentRefetch())
        try await withThrowingTaskGroup(of: Void.self) { [logger] group in
            for _ in 0..<2 {
                let coordinator = try Coordinator(
                    pool: bench.pool, owning: "tests", schedules: [schedule], logger: logger)
                group.addTask { try await coordinator.run() }
            }
            try await bench.working {
                try await bench.site.eventually(
                    "SELECT count(*) = 30 FROM content.item WHERE enqueued_at IS NOT NULL")
                try await bench.pool.simple(
                    """
                    UPDATE tenure.job SET run_at = clock_timestamp() WHERE kind = 'content-fetch';
                    SELECT tenure.call_lanes(array(SELECT id FROM tenure.job))
                    """)
                try await bench.site.eventually(
                    "SELECT count(*) = 30 FROM content.item WHERE outcome = 'stored'")
                // And some rounds more.
                try await Task.sleep(for: .milliseconds(700))
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        for number in 1...30 { #expect(bench.requests("/docs/\(number)") == 1) }
        let fetches = try await bench.count("tenure.job_history WHERE kind = 'content-fetch'")
        #expect(fetches == 30)
    }

    @Test func `nothing of a paused site is fetched, not even what waits`() async throws {
        let bench = try await RefetchBench("paused")
        try await bench.watch()
        try await bench.fetch("/docs/two", "/docs/three")
        try await bench.makeDue()
        try await bench.round()
        #expect(try await bench.count("tenure.job WHERE kind = 'content-fetch'") == 2)
        try await bench.site.sites.pause(bench.name)
        try await bench.clock.advance(by: .seconds(60))
        try await bench.settle()
        try await bench.makeDue()
        try await bench.refetch()
        #expect(bench.requests("/docs/two") == 1 && bench.requests("/docs/three") == 1)
        _ = try await bench.site.sites.resume(bench.name)
        try await bench.refetch()
        #expect(bench.requests("/docs/two") == 2)
    }

    @Test func `a deleted item's fetch brings nothing back`() async throws {
        let bench = try await RefetchBench("deleted")
        try await bench.watch()
        try await bench.fetch("/docs/two", "/docs/three")
        try await bench.makeDue()
        try await bench.round()
        let deletion = ItemDeletion(
            client: bench.site.fixture.client, pool: bench.pool, as: "ada")
        _ = try await deletion.delete([.url("\(bench.web.url)/docs/two")], permit: .all)
        try await bench.clock.advance(by: .seconds(60))
        try await bench.settle()
        #expect(bench.requests("/docs/two") == 1 && bench.requests("/docs/three") == 2)
        #expect(try await bench.count("content.item WHERE url LIKE '%/two'") == 0)
    }

    @Test func `a row that can't be read keeps no other`() async throws {
        let bench = try await RefetchBench("poisoned")
        try await bench.watch()
        try await bench.fetch("/docs/two", "/docs/three")
        try await bench.pool.simple(
            """
            UPDATE content.item SET url = 'no url' WHERE url LIKE '%/three';
            INSERT INTO content.item (id, url, site, outcome, due_at)
            SELECT gen_random_uuid(), 'http://x.test/' || repeat('y', 2000000), s.id, 'failed',
                   content.now() - interval '1 day' FROM content.site s;
            INSERT INTO content.site (
                id, spread, tells_changes, url, added_by, options, prefix, refetches)
            SELECT gen_random_uuid(), '0', false, url, 'ada', o.options::jsonb, 'x', true
            FROM (VALUES ('http://a.test/', '{"looks":"many"}'), ('http://b.test/', '3'),
                         ('no url', '{}')) AS o (url, options)
            """)
        try await bench.makeDue()
        try await bench.refetch()
        #expect(bench.requests("/docs/two") == 2)
        let aside = try await bench.count(
            "content.item WHERE code = 'unfetchable' AND due_at IS NULL")
        #expect(aside == 2)
        #expect(try await bench.count("content.site WHERE refetch_why IS NOT NULL") == 3)
    }

    @Test func `items that were there before their site are its own, and come back from another`()
        async throws
    {
        let bench = try await RefetchBench("enrolled")
        bench.web.answer("/docs/in/a", .page("<p>a"))
        try await bench.fetch("/docs/two", "/docs/in/a")
        try await bench.watch()
        var refetch = SiteRefetch()
        refetch.bounds.shortest = .seconds(7200)
        let inner = "\(bench.web.url)/docs/in/"
        _ = try await bench.site.sites.add(
            inner, .every(.seconds(86_400)), SiteBench.options, refetch: refetch)
        func owned(_ site: SiteName) async throws -> Int64 {
            let id = try await bench.site.sites.site(site).id
            return try await bench.pool.query(
                "SELECT count(*) FROM content.item WHERE site = $1", [id]
            ) { try $0.decode(0, as: Int64.self) }[0]
        }
        try await bench.round()
        #expect(try await owned(bench.name) == 1)
        #expect(try await owned(.url(inner)) == 1)
        _ = try await bench.site.sites.remove(.url(inner))
        try await bench.round()
        #expect(try await owned(bench.name) == 2)
    }

    @Test func `a check that sees another document makes the item due`() async throws {
        let bench = try await RefetchBench("seen")
        try await bench.watch()
        bench.web.answer("/docs/two", RefetchBench.page("one", etag: "1"))
        try await bench.fetch("/docs/two")
        bench.web.answer("/docs/two", RefetchBench.page("two", etag: "2"))
        try await bench.site.check()
        #expect(try await bench.due("/docs/two") <= 0)
        // What nobody has fetched is none of it.
        #expect(try await bench.count("content.item WHERE due_at IS NOT NULL") == 1)
        try await bench.refetch()
        let item = try await Items(pool: bench.pool).item(url: "\(bench.web.url)/docs/two")
        #expect(item?.title == "two")
    }

    @Test func `files are fetched again as files`() async throws {
        let bench = try await RefetchBench("files")
        try await bench.watch()
        bench.web.answer(
            "/docs/data.bin",
            LocalWeb.Answer(
                headers: ["Content-Type: application/octet-stream", "ETag: \"1\""],
                body: [UInt8](repeating: 7, count: 5000)))
        try await bench.fetch("/docs/data.bin", mode: .file)
        try await bench.makeDue()
        try await bench.refetch()
        #expect(bench.requests("/docs/data.bin") == 2)
        #expect(try await bench.count("content.version") == 0)
        #expect(try await bench.due("/docs/data.bin") > 3600)
    }
}
