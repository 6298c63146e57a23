import Tenure
import Testing

@testable import TenureCoordinator

@Suite struct HousekeepingTests {
    @Test func `a table that is in use keeps no other part of the housekeeping from its turn`()
        async throws
    {
        let fixture = try await WorkerFixture("housekeeping")
        let other = try WorkerFixture(conninfo: fixture.conninfo, "reader")
        try await fixture.pool.simple(
            """
            SELECT tenure.drop_partitions('job_history_ended', '-30 days');
            INSERT INTO tenure.batch (id, created_at)
            VALUES (tenure.new_id(), clock_timestamp() - interval '1 year')
            """)
        try await other.pool.transaction { transaction in
            _ = try await transaction.query("SELECT FROM tenure.job_history_ended")
            _ = try await transaction.query(
                "LOCK TABLE tenure.job_history_ended IN ACCESS EXCLUSIVE MODE"
            )
            let error = await #expect(throws: PostgresError.self) {
                try await Housekeeping(
                    pool: fixture.pool, configuration: CoordinatorConfiguration()
                ).run()
            }
            #expect(error?.sqlState == "55P03")
        }
        #expect(try await fixture.count("tenure.batch") == 0)
    }
}
