import Foundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// A look costs what it shows, not what there is.
@Suite struct LargeSearchTests {
    /// What one would stumble over in front of a queue of many jobs, most of whose lanes, states
    /// and times are those of some kinds alone.
    private static let lopsided = """
        INSERT INTO tenure.job (id, state, kind, queue, lane, priority, run_at, payload)
        SELECT tenure.new_id(), 'scheduled', 'later', q.name,
               CASE WHEN q.name LIKE 'laned%' THEN 'a' END, 0, now() + interval '1 day', '{}'
        FROM (VALUES ('reminders'), ('laned'), ('laned-due')) AS q (name),
             generate_series(1, 20000);
        INSERT INTO tenure.job (id, state, kind, queue, lane, priority, run_at, hold_reason,
                                payload)
        SELECT tenure.new_id(), (CASE WHEN n % 100 = 0 THEN 'held' ELSE 'available' END)
               ::tenure.job_state, 'kind-' || n % 20, 'wide',
               CASE WHEN n % 20 = 8 THEN 'lane-' || n % 5 END, 0, now() - interval '1 h',
               CASE WHEN n % 100 = 0 THEN 'unread' END, '{}'
        FROM generate_series(1, 60000) AS n;
        INSERT INTO tenure.job (id, state, kind, queue, lane, priority, run_at, payload)
        SELECT tenure.new_id(), 'available'::tenure.job_state, 'now', 'laned-due', 'z', 0, now(),
               '{}'::jsonb
        UNION ALL
        SELECT tenure.new_id(), 'available', 'starved', 'wide', NULL, 9,
               now() - interval '3 days', '{}'
        """

    /// The most rows that any part of a statement reads, whether it keeps them or not.
    private static func mostRead(
        _ sql: String, _ values: [String], _ pool: PostgresPool
    ) async throws -> Double {
        var text = sql
        for (number, value) in values.enumerated().reversed() {
            text = text.replacing("$\(number + 1)", with: "(\(value))")
        }
        let plan = try await pool.query(
            "EXPLAIN (ANALYZE, TIMING off, FORMAT json) \(text)"
        ) { try $0.decode(0, as: String.self) }[0]
        func read(_ node: [String: Any]) -> Double {
            func number(_ name: String) -> Double { node[name] as? Double ?? 0 }
            let own =
                (number("Actual Rows") + number("Rows Removed by Filter")
                    + number("Rows Removed by Index Recheck")) * number("Actual Loops")
            let below = node["Plans"] as? [[String: Any]] ?? []
            return max(own, below.map(read).max() ?? 0)
        }
        let document = try JSONSerialization.jsonObject(with: Data(plan.utf8))
        let plans = try #require(document as? [[String: Any]])
        return read(try #require(plans[0]["Plan"] as? [String: Any]))
    }

    /// By a list of jobs.
    private static func mostListed(
        _ states: String, _ kind: String = "NULL::text", _ queue: String = "NULL::text",
        due: String = "NULL::boolean", tags: String = "NULL::text[]", _ pool: PostgresPool
    ) async throws -> Double {
        let none = "NULL::text"
        return try await mostRead(
            ListJobs.sql,
            [
                "'{\(states)}'::text[]", kind, queue, none, "false", "NULL::interval", none,
                "false", "NULL::uuid", due, tags, "NULL::jsonb", "NULL::uuid", "101",
            ], pool)
    }

    @Test(arguments: [true, false])
    func `no part of a look reads all jobs, whatever the statistics say`(
        isAnalyzed: Bool
    ) async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        try await pool.simple(Self.lopsided)
        if isAnalyzed { try await pool.simple("VACUUM ANALYZE tenure.job") }
        // Without statistics a part may read all once, as who runs is looked for.
        func most(_ number: Double) -> Double { isAnalyzed ? number : 120_010 }
        let none = "NULL::text"
        func jobs(
            _ states: String, _ kind: String, _ queue: String, due: String = "NULL::boolean"
        ) async throws -> Double {
            try await Self.mostListed(states, kind, queue, due: due, pool)
        }
        // None of them is due.
        let pending = "scheduled,available,retryable"
        #expect(try await jobs(pending, none, "'reminders'", due: "true") <= most(12_000))
        #expect(try await jobs(pending, none, "'wide'", due: "true") <= most(12_000))
        // What a walk passes over until a hundred match, and what is counted to choose the way. (A
        // walk for a large queue passes over what is newer in others: docs/decisions/console.md.)
        for (states, kind, queue) in [
            ("", "'kind-12'", "'wide'"), ("", "'kind-8'", "'wide'"), ("", none, "'wide'"),
            (pending, none, "'wide'"), ("held", none, none),
            ("held", "'kind-0'", none), ("waiting", none, "'wide'"), ("running", none, none),
            ("held,running", none, "'wide'"),
        ] {
            let read = try await jobs(states, kind, queue)
            #expect(read <= most(12_000), "\(states) \(kind) \(queue)")
        }
        let names = "'{reminders,wide,laned,laned-due}'::text[]"
        let queues = try await Self.mostRead(
            ListQueues.sql, [names, "''::text", "NULL::bigint", "1000", "true"], pool)
        #expect(queues <= most(42_000))
        let some = try await Self.mostRead(
            ListQueues.sql, ["NULL::text[]", "''::text", "101", "500", "false"], pool)
        #expect(some <= most(42_000))
        #expect(try await Self.mostRead(ListKinds.sql, ["1000"], pool) <= most(3_000))
        let kinds = try await Self.mostRead(ListQueueKinds.sql, ["'wide'", "1000"], pool)
        #expect(kinds <= most(3_000))
        let troubled = try await Self.mostRead(
            ListTroubledQueues.sql, ["21::bigint", "21::bigint", "21::bigint", "''::text"], pool)
        #expect(troubled <= most(42_000))
    }

    /// The newest of a tag that many have, and those of two of which one is rare.
    @Test(arguments: [true, false])
    func `a list by tags reads few of many`(isAnalyzed: Bool) async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        try await pool.simple(Self.lopsided)
        try await pool.simple(
            """
            INSERT INTO tenure.job_tag (tag, job_id) SELECT 'many', j.id FROM tenure.job j;
            INSERT INTO tenure.job_tag (tag, job_id)
            SELECT 'few', j.id FROM tenure.job j ORDER BY j.id LIMIT 20
            """)
        if isAnalyzed { try await pool.simple("VACUUM ANALYZE tenure.job, tenure.job_tag") }
        for tags in ["'{many}'", "'{many,few}'", "'{few}'", "'{none}'"] {
            let read = try await Self.mostListed("", tags: "\(tags)::text[]", pool)
            // Without statistics all tags may be read once.
            #expect(read <= (isAnalyzed ? 2_000 : 120_030), "\(tags)")
        }
    }

    @Test func `what is due is found in lanes, and in a priority that starves`() async throws {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        try await pool.simple(Self.lopsided)
        let inspector = Inspector(pool: pool)
        let laned = try #require(try await inspector.queue("laned-due", countingTo: 1000))
        #expect(laned.due == 1 && laned.oldestDue != nil && laned.pendingIsAtLeast)
        let wide = try #require(try await inspector.queue("wide", countingTo: 1000))
        #expect(try #require(wide.oldestDue) < Date() - 200_000)
        let later = try #require(try await inspector.queue("reminders", countingTo: 1000))
        #expect(later.due == 0 && later.oldestDue == nil && later.later == 1000)
        // Those whose jobs are all for later hide nobody.
        try await pool.simple(
            """
            INSERT INTO tenure.job (id, state, kind, queue, run_at, payload)
            SELECT tenure.new_id(), 'scheduled', 'later', 'a' || n, now() + interval '1 day', '{}'
            FROM generate_series(1, 30) AS n
            """)
        let troubled = try await inspector.queuesInTrouble(.each(20))
        #expect(troubled == ["laned-due", "wide"])
    }
}
