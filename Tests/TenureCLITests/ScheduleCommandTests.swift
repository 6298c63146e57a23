import Foundation
import Tenure
import Testing

@Suite struct ScheduleCommandTests {
    @Test func `a schedule is added, listed, paused, resumed and removed`() async throws {
        let tenure = try await Fixture().tenure
        let added = try await tenure.run(
            "schedule", "add", "nightly", "demo-fail", "--cron", "30 2 * * mon-fri", "--zone",
            "Europe/Berlin")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("30 2 * * mon-fri (Europe/Berlin)"))
        let twice = try await tenure.run(
            "schedule", "add", "nightly", "demo-fail", "--every", "1h")
        #expect(twice.code == 2 && twice.errors.contains("--replace"))
        _ = try await tenure.run("schedule", "pause", "nightly")
        let paused = try await tenure.run("schedule", "list", "--json").array()
        #expect(paused[0]["paused"] as? Bool == true)
        #expect(paused[0]["zone"] as? String == "Europe/Berlin")
        #expect(try await tenure.run("schedule", "resume", "nightly").code == 0)
        #expect(try await tenure.run("schedule", "resume", "nightly").code == 1)
        let changed = try await tenure.run(
            "schedule", "add", "nightly", "demo-fail", "--every", "1h", "--replace")
        #expect(changed.output.hasPrefix("set nightly: every 60m"))
        #expect(try await tenure.run("schedule", "remove", "nightly").output == "removed nightly\n")
        #expect(try await tenure.run("schedule", "list").output.hasPrefix("no schedules"))
    }

    @Test func `a schedule is shown, and its job enqueued by hand, beside its ticks`()
        async throws
    {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run(
            "schedule", "add", "nightly", "demo-fail", "--cron", "30 2 * * *", "--queue", "small")
        let on = try await tenure.run("schedule", "show", "nightly", "--json").object()
        #expect((on["next"] as? [Any])?.count == 5 && on["problem"] is NSNull)
        _ = try await tenure.run("schedule", "pause", "nightly")
        let before = try await tenure.run("schedule", "show", "nightly", "--json").object()
        #expect((before["next"] as? [Any])?.isEmpty == true)
        let first = try await tenure.run("schedule", "trigger", "nightly", "--json").object()
        #expect(first["result"] as? String == "enqueued")
        let id = try #require(first["id"] as? String)
        #expect(
            try await fixture.value(
                "SELECT queue || ' ' || key FROM tenure.job WHERE id = '\(id)'", as: String.self)
                == "small schedule:nightly")
        // By its key the unfinished one is kept.
        let second = try await tenure.run("schedule", "trigger", "nightly")
        #expect(second.code == 0 && second.output.hasPrefix("kept \(id)"), "\(second)")
        let after = try await tenure.run("schedule", "show", "nightly", "--json").object()
        #expect(NSDictionary(dictionary: before).isEqual(to: after))
        let acts = try await tenure.run("action", "list", "--json").array()
        #expect(acts.filter { $0["verb"] as? String == "trigger" }.count == 1, "\(acts)")
        #expect("\(acts)".contains(id))
        let text = try await tenure.run("schedule", "show", "nightly").output
        #expect(text.contains("paused by") && text.contains("30 2 * * * (UTC)"), "\(text)")
        // Of ticks that nobody came to one fires: the others are not told as if they were to come.
        try await fixture.pool.simple(
            """
            UPDATE tenure.schedule SET paused_at = NULL, paused_by = NULL,
                   next_at = clock_timestamp() - interval '30 days'
            """)
        let late = try await tenure.run("schedule", "show", "nightly").output
        #expect(late.components(separatedBy: "now").count == 2, "\(late)")
        try await fixture.pool.simple("UPDATE tenure.schedule SET zone = 'Nowhere/Atoll'")
        let lost = try await tenure.run("schedule", "show", "nightly")
        #expect(lost.code == 0 && lost.output.contains("can't fire"), "\(lost)")
        // One that a hand has spoilt says so, and what mends it.
        try await fixture.pool.simple(
            "UPDATE tenure.schedule SET job = job || '{\"priority\": 17}'")
        let spoilt = try await tenure.run("schedule", "trigger", "nightly")
        #expect(spoilt.code == 2 && spoilt.errors.contains("--replace"), "\(spoilt)")
    }

    /// Jobs without a key, so that every enqueue is a row: as many rows as ticks.
    @Test func `three coordinators fire each tick once, and one that is killed is not missed`()
        async throws
    {
        let fixture = try await Fixture()
        try await fixture.pool.simple(
            """
            SELECT tenure.put_schedule('tick', '250 ms', NULL, NULL, '{"kind": "tick"}', false)
            """)
        let coordinators = try (0..<3).map { number in
            try fixture.tenure.start("coordinator", "--lease", "1s", "--name", "c\(number)")
        }
        try await fixture.eventually(
            "it ticks", "SELECT count(*) > 2 FROM tenure.job WHERE kind = 'tick'")
        let leader = try await fixture.value(
            """
            SELECT s.name FROM tenure.leader l JOIN tenure.session s ON s.id = l.session
            WHERE l.name = 'coordinator'
            """, as: String.self)
        let killed = try #require(Int(leader.dropFirst()))
        coordinators[killed].send(SIGKILL)
        let before = try await fixture.jobs()
        try await fixture.eventually(
            "another takes over", "SELECT count(*) > \(before) + 4 FROM tenure.job")
        for number in 0..<3 where number != killed {
            coordinators[number].send(SIGTERM)
            #expect(try await coordinators[number].result().code == 0)
        }
        let (jobs, fired) = (
            try await fixture.jobs(),
            try await fixture.value("SELECT sum(fired)::int8 FROM tenure.schedule", as: Int64.self)
        )
        #expect(jobs == fired)
    }
}
