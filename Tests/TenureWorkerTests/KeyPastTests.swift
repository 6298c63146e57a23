import Tenure
import TenurePostgres
import TestSupport
import Testing

@testable import TenureCoordinator

/// What a key was about long ago is found without reading all that has ended since.
@Suite struct KeyPastTests {
    private static let past = """
        CREATE TABLE tenure.job_history_ended_20200101 PARTITION OF tenure.job_history_ended
            FOR VALUES FROM ('2020-01-01') TO ('2020-01-02');
        INSERT INTO tenure.job_history (
            id, key, generation, kind, queue, payload, run_at, created_at, finished_at, outcome,
            attempt, max_attempts, runs, payload_version, priority)
        SELECT tenure.new_id(), CASE WHEN n % 2 = 0 THEN 'key ' || n % 7777 END, n, 'kind', 'q',
               '{}', now(), now(), CASE WHEN n <= 15000 THEN '2020-01-01 12:00' ELSE now() END,
               'completed', 1, 1, 1, 1, 0
        FROM generate_series(1, 30000) AS n
        """

    /// Found, and the pages that were looked at.
    private static func look(
        _ pool: PostgresPool, at key: String = "key 700"
    ) async throws -> (jobs: Int, pages: Int) {
        let found = try await Inspector(pool: pool).key(key, of: "kind")
        let plan = try await pool.query(
            """
            EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT json)
            SELECT h.id FROM tenure.past_of_key('kind', '\(key)') AS h
            """
        ) { try $0.decode(0, as: String.self) }[0]
        let pages = try #require(plan.firstMatch(of: /"Shared Hit Blocks": (\d+)/)?.1)
        let read = try #require(plan.firstMatch(of: /"Shared Read Blocks": (\d+)/)?.1)
        return (found.jobs.count, try #require(Int(pages)) + (try #require(Int(read))))
    }

    @Test func `a key's past is found by few pages, once the coordinator was there`() async throws {
        let fixture = try await WorkerFixture("past")
        try await fixture.pool.simple(Self.past)
        let before = try await Self.look(fixture.pool)
        #expect(before.jobs == 2)
        #expect(try await Self.index(fixture.pool) > 10)
        let after = try await Self.look(fixture.pool)
        #expect(after.jobs == 2)
        #expect(after.pages * 2 < before.pages, "\(after.pages) of \(before.pages)")
        // There is nothing left to do, and the next call finds that.
        #expect(try await Self.index(fixture.pool) == 0)
        // What ends afterwards is found as well.
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, key, generation, kind, queue, payload, run_at, created_at, outcome,
                attempt, max_attempts, runs, payload_version, priority)
            VALUES (tenure.new_id(), 'key 700', 1, 'kind', 'q', '{}', now(), now(), 'discarded',
                    1, 1, 1, 1, 0)
            """)
        #expect(try await Self.look(fixture.pool).jobs == 3)
    }

    @Test func `lists of a key's jobs show those that have ended, of any kind`() async throws {
        let fixture = try await WorkerFixture("past")
        try await fixture.pool.simple(Self.past)
        var filter = JobFilter()
        filter.key = "key 700"
        filter.finished = true
        let inspector = Inspector(pool: fixture.pool)
        let all = try await inspector.jobs(filter)
        #expect(all.count == 2)
        #expect(all.map(\.id) == all.map(\.id).sorted().reversed())
        filter.kind = "another"
        #expect(try await inspector.jobs(filter).isEmpty)
        filter.kind = "kind"
        filter.states = [.completed]
        filter.before = all.first?.id
        #expect(try await inspector.jobs(filter).map(\.id) == [all[1].id])
        filter.states = [.discarded]
        #expect(try await inspector.jobs(filter).isEmpty)
        filter.key = "no such key"
        #expect(try await inspector.jobs(filter).isEmpty)
    }

    @Test func `a vacuum of one day's history doesn't hold up the index of others`() async throws {
        let fixture = try await WorkerFixture("past")
        let other = try WorkerFixture(conninfo: fixture.conninfo, "vacuum")
        try await fixture.pool.simple(Self.past)
        try await other.pool.transaction { transaction in
            // As a vacuum locks it.
            _ = try await transaction.query(
                """
                LOCK TABLE tenure.job_history_ended_20200101 IN SHARE UPDATE EXCLUSIVE MODE
                """)
            _ = try await fixture.pool.execute(IndexKeys())
        }
        #expect(try await Self.index(fixture.pool) > 5)
    }

    @Test func `filters that a call has left out are made by the next`() async throws {
        let fixture = try await WorkerFixture("past")
        try await fixture.pool.simple(Self.past)
        #expect(try await Self.index(fixture.pool) > 10)
        // One in the middle of each day.
        let gone = try await fixture.pool.query(
            """
            SELECT count(*) FROM pg_partition_tree('tenure.job_history_key') t
            JOIN pg_index i ON i.indexrelid = t.relid
            CROSS JOIN LATERAL (SELECT brin_desummarize_range(t.relid, 64) OFFSET 0) AS d
            WHERE t.isleaf AND pg_relation_size(i.indrelid) > 200 * 8192
            """
        ) { try $0.decode(0, as: Int64.self) }[0]
        #expect(gone == 2)
        #expect(try await Self.index(fixture.pool) == 2)
        #expect(try await Self.index(fixture.pool) == 0)
    }

    @Test func `payloads of a key's past are left where they are`() async throws {
        let fixture = try await WorkerFixture("past")
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.job_history (
                id, key, generation, kind, queue, payload, run_at, created_at, outcome, attempt,
                max_attempts, runs, payload_version, priority)
            SELECT tenure.new_id(), 'long', n, 'kind', 'q', (
                       SELECT jsonb_agg(md5(n::text || m)) FROM generate_series(1, 600) AS m),
                   now(), now(), 'completed', 1, 1, 1, 1, 0
            FROM generate_series(1, 200) AS n
            """)
        let found = try await Self.look(fixture.pool, at: "long")
        #expect(found.jobs == 50 && found.pages < 400, "\(found)")
    }

    private static func index(_ pool: PostgresPool) async throws -> Int32 {
        try await pool.query("SELECT tenure.index_keys()") { try $0.decode(0, as: Int32.self) }[0]
    }
}
