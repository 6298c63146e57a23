import Tenure
import TenureSystem
import Testing

@Suite struct CoordinatorCommandTests {
    @Test func `a coordinator forgets what ended longer ago than it is told to keep`() async throws
    {
        let fixture = try await Fixture()
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.batch (id, created_at)
            SELECT tenure.new_id(), clock_timestamp() - make_interval(days => days)
            FROM unnest(ARRAY[1, 3]) AS days
            """)
        let coordinator = try fixture.tenure.start("coordinator", "--keep-discarded", "2d")
        try await fixture.eventually("it is forgotten", "SELECT count(*) = 1 FROM tenure.batch")
        coordinator.send(SIGTERM)
        #expect(try await coordinator.result().code == 0)
    }

    @Test func `a coordinator looks at schedules as often as it is told to`() async throws {
        let fixture = try await Fixture()
        let refused = try await fixture.tenure.run("coordinator", "--tick", "1ms")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("--tick is \"1ms\"; give 10ms to 60m"))
        try await fixture.pool.simple(
            """
            SELECT tenure.put_schedule('tick', '250 ms', NULL, NULL, '{"kind": "tick"}', false)
            """)
        let coordinator = try fixture.tenure.start("coordinator", "--tick", "60m")
        try await fixture.eventually("it looks once", "SELECT count(*) > 0 FROM tenure.job")
        let fired = try await fixture.jobs()
        try await Task.sleep(for: .milliseconds(2500))
        #expect(try await fixture.jobs() == fired)
        coordinator.send(SIGTERM)
        #expect(try await coordinator.result().code == 0)
    }

    @Test(arguments: ["--keep-ended", "--keep-discarded", "--keep-actions"])
    func `history that would not last an hour is refused`(_ flag: String) async throws {
        let refused = try await Fixture().tenure.run("coordinator", flag, "59m")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("\(flag) is \"59m\"; give 60m to 3650d"))
    }
}
