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
