import Foundation
import TenurePostgres
import TestSupport
import Testing

@testable import Tenure

/// The ways by which few jobs are found among many lead to what is there.
@Suite struct SmallQueueTests {
    /// A queue of 1,000 jobs, a fifth of them in lanes; one kind of them is rare, some are held.
    private static let jobs = """
        INSERT INTO tenure.job (id, generation, state, kind, queue, key, lane, priority, run_at,
                                hold_reason, payload)
        SELECT tenure.new_id(), CASE WHEN n % 10 = 3 THEN n END,
               (CASE WHEN n % 40 = 0 THEN 'held' WHEN n % 7 = 0 THEN 'retryable'
                     ELSE 'available' END)::tenure.job_state,
               CASE WHEN n % 90 = 1 THEN 'rare' ELSE 'kind-' || n % 3 END, 'few',
               CASE WHEN n % 10 = 3 THEN 'key-' || n % 4 END,
               CASE WHEN n % 5 = 2 THEN 'lane-' || n % 3 END, n % 10,
               now() + (n % 100 - 80) * interval '1 min',
               CASE WHEN n % 40 = 0 THEN 'unread' END, '{}'
        FROM generate_series(1, 1000) AS n
        """

    private static func look() async throws -> (Inspector, PostgresPool) {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 2)
        try await pool.simple(jobs)
        return (Inspector(pool: pool), pool)
    }

    /// All that match, part by part.
    private static func all(
        _ filter: JobFilter, _ inspector: Inspector
    ) async throws -> [JobID] {
        var (filter, found) = (filter, [JobID]())
        filter.limit = 20
        while true {
            filter.before = found.last
            let part = try await inspector.jobs(filter)
            found += part.map(\.id)
            if part.count < filter.limit { return found }
        }
    }

    @Test func `each part of a list is what a plain search finds`() async throws {
        let (inspector, pool) = try await Self.look()
        let pending = "state IN ('scheduled', 'available', 'retryable')"
        let wanted: [(String, (inout JobFilter) -> Void)] = [
            ("queue = 'few'", { $0.queue = "few" }),
            ("state = 'available'", { ($0.queue, $0.states) = ("few", [.available]) }),
            ("state = 'retryable'", { ($0.queue, $0.states) = ("few", [.retryable]) }),
            ("kind = 'rare'", { ($0.queue, $0.kind) = ("few", "rare") }),
            ("kind = 'none'", { ($0.queue, $0.kind) = ("few", "none") }),
            ("\(pending) AND run_at <= now()", { ($0.queue, $0.isDue) = ("few", true) }),
            ("\(pending) AND run_at > now()", { ($0.queue, $0.isDue) = ("few", false) }),
            ("key = 'key-3'", { $0.key = "key-3" }),
            ("key = 'key-3'", { ($0.queue, $0.key) = ("few", "key-3") }),
            (
                "key = 'key-1' AND kind = 'kind-0'",
                { ($0.kind, $0.key) = ("kind-0", "key-1") }
            ),
            ("key = 'key-1' AND state = 'held'", { ($0.key, $0.states) = ("key-1", [.held]) }),
        ]
        for (condition, change) in wanted {
            var filter = JobFilter()
            change(&filter)
            let plain = try await pool.query(
                "SELECT id FROM tenure.job WHERE \(condition) ORDER BY id DESC"
            ) { JobID(try $0.decode(0, as: UUID.self)) }
            #expect(try await Self.all(filter, inspector) == plain, "\(condition)")
            let counts = try await inspector.count(filter).reduce(0) { $0 + $1.count }
            #expect(counts == plain.count, "\(condition)")
        }
    }

    @Test func `a queue is counted without its rows as with them`() async throws {
        let (inspector, _) = try await Self.look()
        var filter = JobFilter()
        filter.queue = "few"
        #expect(try await inspector.total(filter, upTo: 10_001) == 1000)
        #expect(try await inspector.total(filter, upTo: 10) == 10)
        filter.queue = "none"
        #expect(try await inspector.total(filter, upTo: 10) == 0)
        filter = JobFilter()
        filter.kind = "rare"
        let rare = try await inspector.count(filter).reduce(0) { $0 + $1.count }
        #expect(try await inspector.total(filter, upTo: 10_001) == rare)
    }

    @Test func `kinds of a table of few pages are counted as a whole`() async throws {
        let (inspector, pool) = try await Self.look()
        try await pool.simple(Self.jobs)
        let whole = try await inspector.kinds(countingTo: nil)
        let bounded = try await inspector.kinds(countingTo: 10_000)
        #expect(whole.map(\.kind) == bounded.map(\.kind))
        #expect(whole.map(\.due) == bounded.map(\.due))
        #expect(whole.map(\.later) == bounded.map(\.later))
        #expect(!bounded.contains { $0.pendingIsAtLeast })
    }

    @Test func `lanes that are shut are found without a look at each`() async throws {
        let (inspector, pool) = try await Self.look()
        try await pool.simple(
            """
            INSERT INTO tenure.lane (queue, name, max_running, min_interval) VALUES
                ('few', 'lane-0', 1, '0'), ('few', 'lane-1', 1, '0'), ('few', 'lane-2', 1, '1 h');
            INSERT INTO tenure.lane_hold (queue, lane, until) VALUES
                ('few', 'lane-1', now() + interval '1 h');
            INSERT INTO tenure.lane_holders (queue, lane, n, next_at, turn_at) VALUES
                ('few', 'lane-2', 1, now() + interval '1 h', now() + interval '1 h');
            WITH run AS (
                UPDATE tenure.job SET state = 'running', session_id = 1, fence = 1
                WHERE id = (SELECT id FROM tenure.job WHERE lane = 'lane-0' LIMIT 1) RETURNING id)
            INSERT INTO tenure.lane_holders (queue, lane, n, running_ids)
            SELECT 'few', 'lane-0', 1, ARRAY[id] FROM run
            """)
        let queue = try #require(try await inspector.queue("few"))
        let kinds = try await inspector.kinds(of: "few")
        let all = try await inspector.delays(of: queue, kinds, looksAtAllLanes: true)
        let shut = try await inspector.delays(of: queue, kinds, looksAtAllLanes: false)
        #expect(shut.map(\.detail) == all.map(\.detail))
        #expect(shut.map(\.rule) == [.noWorker, .laneFull, .laneOnHold, .laneInterval])
    }

    @Test func `troubled queues are looked for behind a name, so many of each sort`() async throws {
        let (inspector, pool) = try await Self.look()
        try await pool.simple(
            """
            INSERT INTO tenure.job (id, state, kind, queue, run_at, payload)
            SELECT tenure.new_id(), 'available', 'now', 'a' || n, now(), '{}'
            FROM generate_series(1, 5) AS n;
            INSERT INTO tenure.queue (name, paused_at) VALUES ('a2', now()), ('shut', now())
            """)
        func names(_ most: Troubles, _ last: String) async throws -> [QueueName] {
            try await inspector.queuesInTrouble(most, after: last)
        }
        #expect(try await names(.each(20), "") == ["a1", "a2", "a3", "a4", "a5", "few", "shut"])
        #expect(try await names(.each(20), "a4") == ["a5", "few", "shut"])
        // Of those in lanes one, too.
        #expect(try await names(Troubles(unworked: 1, held: 0, paused: 0), "a4") == ["a5", "few"])
        #expect(try await names(Troubles(unworked: 0, held: 5, paused: 0), "") == ["few"])
        #expect(try await names(Troubles(unworked: 0, held: 0, paused: 9), "a2") == ["shut"])
    }
}
