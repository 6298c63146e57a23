import Glibc
import Tenure
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

    @Test(arguments: ["--keep-ended", "--keep-discarded", "--keep-actions"])
    func `history that would not last an hour is refused`(_ flag: String) async throws {
        let refused = try await Fixture().tenure.run("coordinator", flag, "59m")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("\(flag) is \"59m\"; give 60m to 3650d"))
    }
}
