import Content
import Foundation
import Tenure
import TenureCoordinator
import TestSupport
import Testing

@Suite struct SiteTests {
    @Test func `a page breaks and is mended, and nobody has run a command`() async throws {
        let bench = try await SiteBench("watched")
        try await bench.addSink()
        try await bench.watch(.every(.seconds(1)))
        try await bench.withCoordinator {
            try await bench.eventually("SELECT known_at IS NOT NULL FROM content.site")
            bench.web.answer("/docs/two", .status(404))
            try await bench.eventually("SELECT count(sent_at) = 1 FROM content.delivery")
            bench.web.answer("/docs/two", .page("<p>two"))
            try await bench.eventually("SELECT count(sent_at) = 2 FROM content.delivery")
            // And some checks more, which have nothing to tell.
            let count = try await bench.value(
                "SELECT count(*) FROM content.site_check", as: Int64.self)
            try await bench.eventually(
                "SELECT count(finished_at) > \(count + 2) FROM content.site_check")
        }
        let told = try bench.notices()
        #expect(told.count == 2)
        #expect(told.map { $0.targets("broken") } == [["two"], []])
        #expect(told.map { $0.targets("mended") } == [[], ["two"]])
        for notice in told {
            #expect(notice.request["Tenure-Notice"] == notice.id)
            try Signature.expect(on: notice.request, secret: SiteBench.secret)
        }
    }

    @Test func `a tick while the last check still runs is skipped with a word`() async throws {
        let bench = try await SiteBench("skipped")
        let gate = Gate()
        var slow = LocalWeb.Answer.page("<p>two")
        slow.gate = gate
        bench.web.answer("/docs/two", slow)
        try await bench.watch(channels: [])
        try await bench.withWorkers {
            let check = try await bench.sites.check(bench.name)
            try await gate.reached()
            let refused = await #expect(throws: ContentError.self) {
                try await bench.sites.check(bench.name)
            }
            #expect(refused?.code == .busy)
            try await bench.pool.simple(
                "SELECT tenure.fire_schedules(9); UPDATE tenure.job SET run_at = now()")
            try await bench.eventually("SELECT skipped_at IS NOT NULL FROM content.site")
            gate.open()
            _ = try await bench.fixture.check.wait(check, every: .milliseconds(20))
        }
        let site = try await bench.sites.site(bench.name)
        let last = try #require(site.lastCheck).uuidString.lowercased()
        #expect(site.skippedWhy?.contains("still runs: \(last)") == true)
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(1))
        // It is over: the next one begins.
        try await bench.check()
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(2))
    }

    /// The key: ticks that nobody has come to are one job.
    @Test func `an outage of many ticks is made up for once`() async throws {
        let bench = try await SiteBench("outage")
        try await bench.watch(.every(.seconds(60)), channels: [])
        for _ in 0..<3 {
            try await bench.pool.simple(
                """
                UPDATE tenure.schedule SET next_at = clock_timestamp() - interval '1 day';
                SELECT tenure.fire_schedules(9)
                """)
        }
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(1))
        try await bench.pool.simple("UPDATE tenure.job SET run_at = clock_timestamp()")
        try await bench.withWorkers {
            try await bench.eventually("SELECT count(finished_at) = 1 FROM content.site_check")
        }
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(1))
        let ahead = try await bench.value(
            "SELECT next_at > clock_timestamp() FROM tenure.schedule", as: Bool.self)
        #expect(ahead)
    }

    @Test func `of many who ask at once one begins a check`() async throws {
        let bench = try await SiteBench("at once")
        try await bench.watch(channels: [])
        let begun = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do {
                        _ = try await bench.sites.check(bench.name)
                        return true
                    } catch {
                        #expect((error as? ContentError)?.code == .busy, "\(error)")
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun == 1)
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(1))
    }

    @Test(arguments: [
        (Ticks.every(.seconds(86_400)), 1000), (.cron("0 0 * * *", zone: "UTC"), 200),
    ])
    func `a thousand sites don't begin together`(ticks: Ticks, count: Int) async throws {
        let bench = try await SiteBench("thousand")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for quarter in 0..<4 {
                group.addTask {
                    for number in 0..<(count / 4) {
                        _ = try await bench.sites.add(
                            "http://127.0.0.1/\(quarter)/\(number)/", ticks, SiteBench.options)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await bench.pool.simple(
            """
            UPDATE tenure.schedule SET next_at = clock_timestamp();
            DO $$ BEGIN
                WHILE EXISTS (SELECT FROM tenure.fire_schedules(100)) LOOP END LOOP;
            END $$
            """)
        let minutes = try await bench.pool.query(
            "SELECT (extract(epoch FROM run_at - created_at) / 60)::float8 FROM tenure.job"
        ) { try $0.decode(0, as: Double.self) }
        #expect(minutes.count == count)
        var tenths = [Int](repeating: 0, count: 10)
        for minute in minutes where (0..<60).contains(minute) { tenths[Int(minute / 6)] += 1 }
        // As many each, of a hash: five times the deviation that is to be expected.
        let (mean, most) = (Double(count) / 10, 5 * (Double(count) * 0.09).squareRoot())
        #expect(tenths.allSatisfy { abs(Double($0) - mean) <= most }, "\(tenths)")
        #expect(tenths.reduce(0, +) == count)
    }

    @Test func `a short interval is spread over its half`() async throws {
        let bench = try await SiteBench("short")
        for number in 0..<50 {
            let site = try await bench.sites.add(
                "http://127.0.0.1/site\(number)/", .every(.seconds(60)), SiteBench.options)
            #expect(site.spread < .seconds(30))
        }
        let spreads = try await bench.sites.list().map(\.spread)
        #expect(Set(spreads).count > 45)
    }

    @Test func `a site is paused, resumed and removed, and its items stay`() async throws {
        let bench = try await SiteBench("removed")
        try await bench.watch(channels: [])
        try await bench.check()
        try await bench.sites.pause(bench.name)
        #expect(try await bench.sites.site(bench.name).nextAt == nil)
        #expect(try await bench.sites.resume(bench.name))
        #expect(try await !bench.sites.resume(bench.name))
        let twice = await #expect(throws: ContentError.self) {
            try await bench.watch(channels: [])
        }
        #expect(twice?.code == .alreadyThere)
        let items = try await bench.sites.remove(bench.name)
        #expect(items.count == 3)
        #expect(try await bench.value("SELECT count(*) FROM content.item") == Int64(3))
        #expect(try await bench.value("SELECT count(*) FROM tenure.schedule") == Int64(0))
        let gone = await #expect(throws: ContentError.self) {
            try await bench.sites.check(bench.name)
        }
        #expect(gone?.code == .unknownSite)
    }

    /// A tick waits for its share of the hour: a pause is not to be followed by a check.
    @Test(arguments: [true, false])
    func `a tick that waits is taken back by a pause and by a removal`(_ pauses: Bool) async throws
    {
        let bench = try await SiteBench("taken back")
        try await bench.watch(channels: [])
        try await bench.pool.simple("SELECT tenure.fire_schedules(9)")
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(1))
        if pauses {
            try await bench.sites.pause(bench.name)
        } else {
            _ = try await bench.sites.remove(bench.name)
        }
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(0))
    }

    @Test func `a removed site's check is cancelled, and nothing is left to do`() async throws {
        let bench = try await SiteBench("gone")
        try await bench.watch(channels: [])
        let check = try await bench.sites.check(bench.name)
        try await bench.pool.simple(
            "SELECT tenure.fire_schedules(9); UPDATE tenure.job SET run_at = now()")
        _ = try await bench.sites.remove(bench.name)
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(0))
        #expect(try await bench.fixture.check.report(check).wasCancelled)
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(1))
        #expect(bench.web.requests.isEmpty)
    }

    @Test func `a site that can't be checked any more is skipped with the reason`() async throws {
        let bench = try await SiteBench("disowned")
        try await bench.fixture.own("site.test")
        _ = try await bench.sites.add("https://site.test/")
        _ = try await bench.pool.query("DELETE FROM content.own_host")
        try await bench.pool.simple(
            "SELECT tenure.fire_schedules(9); UPDATE tenure.job SET run_at = now()")
        try await bench.withWorkers {
            try await bench.eventually("SELECT skipped_at IS NOT NULL FROM content.site")
        }
        let site = try await bench.sites.site(.url("https://site.test/"))
        #expect(site.skippedWhy?.contains("--contact") == true)
    }

    /// By somebody's hand, or by a newer release.
    @Test(arguments: [
        "options = '{\"pauseSeconds\": -1}'", "options = '[]'", "spread = '1 month'",
    ])
    func `a site that can't be read stops no other, and can be removed`(
        _ spoilt: String
    ) async throws {
        let bench = try await SiteBench("spoilt")
        try await bench.watch(channels: [])
        let good = try await bench.sites.add(
            "http://127.0.0.1/", .every(.seconds(86_400)), SiteBench.options)
        try await bench.check()
        try await bench.pool.simple("UPDATE content.site SET \(spoilt) WHERE url = '\(bench.url)'")
        let listed = try await bench.sites.list()
        #expect(listed.filter { $0.problem == nil }.map(\.id) == [good.id])
        let bad = try #require(listed.first { $0.problem != nil })
        #expect(bad.url == bench.url && bad.knownAt != nil)
        #expect(bad.problem.map { spoilt.hasPrefix($0.prefix { $0 != ":" }) } == true)
        let items = try await bench.sites.remove(.id(bad.id))
        #expect(items.count == 3)
        #expect(try await bench.sites.list().map(\.id) == [good.id])
    }

    @Test func `a site that can't be read is skipped with the reason`() async throws {
        let bench = try await SiteBench("unread")
        try await bench.watch(channels: [])
        try await bench.pool.simple(
            """
            UPDATE content.site SET options = '{"pauseSeconds": -1}';
            SELECT tenure.fire_schedules(9);
            UPDATE tenure.job SET run_at = now()
            """)
        try await bench.withWorkers {
            try await bench.eventually("SELECT skipped_at IS NOT NULL FROM content.site")
        }
        let why = try await bench.sites.site(bench.name).skippedWhy
        for words in ["can't be read: options: ", "remove it"] {
            #expect(why?.contains(words) == true, "\(why ?? "")")
        }
        #expect(try await bench.value("SELECT count(*) FROM tenure.job") == Int64(0))
    }

    /// Its row is the check's own: the site goes on with the next.
    @Test func `a last check that can't be read holds up nothing`() async throws {
        let bench = try await SiteBench("last")
        try await bench.watch(channels: [])
        try await bench.check()
        try await bench.pool.simple("UPDATE content.site_check SET options = '[]', start = 'x'")
        try await bench.check()
        #expect(try await bench.value("SELECT count(*) FROM content.site_check") == Int64(2))
    }
}
