import Tenure
import TenureFoundation
import TestSupport
import Testing

/// The rig's witness in the database, which its checker believes.
@Suite struct WitnessTests {
    /// While the clock says yesterday, jobs end in the default partition, and move when that day
    /// gets its own.
    @Test func `What moves between history's partitions is audited`()
        async throws
    {
        let fixture = try await FaultFixture()
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Rig/Witness/audit.sql")
        try await fixture.pool.simple("DROP TABLE effect")
        try await fixture.pool.simple(
            String(decoding: try Data(contentsOf: script), as: UTF8.self))
        let id = "00000000-0000-7000-8000-000000000001"
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, run_at, created_at, finished_at, outcome, attempt, max_attempts, runs,
                payload_version, priority, kind, queue, payload)
            VALUES ('\(id)', now(), now(), now() + interval '20 days', 'cancelled', 0, 1, 0, 1, 0,
                    'k', 'default', '{}');
            SELECT tenure.prepare_history('job_history_ended', 25);
            UPDATE tenure.job_history SET reason = 'it is changed' WHERE id = '\(id)';
            DELETE FROM tenure.job_history WHERE id = '\(id)';
            -- What ends once the day has its partition is seen once.
            INSERT INTO tenure.job_history (
                id, run_at, created_at, finished_at, outcome, attempt, max_attempts, runs,
                payload_version, priority, kind, queue, payload)
            VALUES ('\(id)', now(), now(), now() + interval '20 days', 'cancelled', 0, 1, 0, 1, 0,
                    'k', 'default', '{}');
            """)
        let audited = try await fixture.pool.query(
            "SELECT op FROM rig.audit WHERE about = 'job_history' ORDER BY seq"
        ) { try $0.decode(0, as: String.self) }
        #expect(
            audited == ["insert", "delete", "insert", "update", "delete", "insert"])
    }
}
