public import TenureFoundation
import TenurePostgres

/// A queue and what is in it.
public struct QueueStatus: Sendable {
    public let name: QueueName
    public let pausedAt: Date?
    public let pausedBy: String?
    /// The most jobs that may run at a time over all workers; nil: no limit.
    public let maxRunning: Int?
    /// From one start to the next, over all workers; nil: no rate.
    public var minInterval: Duration?
    /// How many may start at once after a quiet time; nil: no rate.
    public var burst: Int?
    /// The next start by its rate, if that lies ahead.
    public var opensAt: Date?
    /// After how long its less urgent jobs go to its front; nil: never.
    public var ageAfter: Duration?
    /// The most jobs that may wait in it; nil: no capacity.
    public let capacity: Int?
    /// Due: a worker with a free slot would take them now.
    public let due: Int
    /// Pending with a run time ahead.
    public let later: Int
    public let waiting: Int
    public let held: Int
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
    /// Since when the job waits that has been due for longest.
    public let oldestDue: Date?
    /// Live sessions that subscribe to it.
    public let workers: Int
    /// Where letters of discarded jobs go whose kinds have no address; nil: nowhere.
    public var letters: LetterAddress?
    /// Counting ended at a bound: due and later are at least that many, and the oldest may be
    /// older. What runs and what is claimed is always counted to its end.
    public var pendingIsAtLeast = false
    /// The same of waiting and held.
    public var parkedIsAtLeast = false
}

extension QueueStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "name": name, "paused": pausedAt != nil, "pausedAt": pausedAt, "pausedBy": pausedBy,
            "maxRunning": maxRunning, "minIntervalSeconds": minInterval?.inSeconds,
            "burst": burst, "opensAt": opensAt, "ageAfterSeconds": ageAfter?.inSeconds,
            "capacity": capacity, "due": due, "running": running,
            "claimed": claimed, "later": later, "waiting": waiting, "held": held,
            "workers": workers, "oldestDue": oldestDue, "letters": letters,
            "pendingAtLeast": pendingIsAtLeast, "parkedAtLeast": parkedIsAtLeast,
        ])
    }
}

/// Queues that have jobs of a sort, found one by one, each behind the last, in the sort's index:
/// what there is of each costs nothing, and who wants few names looks for no more.
enum QueueNames {
    enum Jobs: String {
        case plain = "j.lane IS NULL AND j.state IN ('scheduled', 'available', 'retryable')"
        case laned = "j.lane IS NOT NULL AND j.state IN ('scheduled', 'available', 'retryable')"
        case parked = "j.state IN ('waiting', 'held')"
        case held = "j.state = 'held' AND j.state IN ('waiting', 'held')"
    }

    /// A recursive table with a column `name`: the first row is what the names are behind, the last
    /// may be NULL.
    static func table(
        _ table: String, of jobs: Jobs, after: String = "''", limit: String = "NULL",
        if condition: String = "true"
    ) -> String {
        """
        \(table) (name, number) AS (
            SELECT \(after)::text COLLATE "C", 0::bigint WHERE \(condition)
            UNION ALL
            SELECT (SELECT j.queue FROM tenure.job j
                    WHERE j.queue > n.name AND \(jobs.rawValue)
                    ORDER BY j.queue LIMIT 1), n.number + 1
            FROM \(table) n
            WHERE n.name IS NOT NULL AND (\(limit)::bigint IS NULL OR n.number < \(limit))
        )
        """
    }
}

/// The queues that have a row, a job or a live worker, by name, from one on. Each count is a range
/// of an index, and ends at a bound: a queue of millions costs what one of that many does. Where
/// those for later used it up, it is looked whether any is due, in lanes among the first 100,000.
/// Names are found one by one in the same indexes, since most queues have no row.
struct ListQueues: PostgresStatement {
    static let sql = """
        WITH RECURSIVE run AS MATERIALIZED (
            SELECT r.id, r.queue, coalesce(tenure.has_begun(r.session_id, r.queue, r.fence), false)
                AS has_begun
            FROM tenure.run_seen r WHERE $1::text[] IS NULL OR r.queue = ANY ($1)
        ), running AS MATERIALIZED (
            SELECT r.queue, count(*) FILTER (WHERE r.has_begun) AS running,
                   count(*) FILTER (WHERE NOT r.has_begun) AS claimed
            FROM run r GROUP BY r.queue
        ), taken AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(SELECT r.id FROM run r)) AS u (id)
        ),
        \(QueueNames.table("plain", of: .plain, after: "$2", limit: "$3", if: "$1 IS NULL")),
        \(QueueNames.table("laned", of: .laned, after: "$2", limit: "$3", if: "$1 IS NULL")),
        \(QueueNames.table("parked", of: .parked, after: "$2", limit: "$3", if: "$1 IS NULL")),
        crew AS (
            SELECT n.queue COLLATE "C" AS name, count(*) AS workers
            FROM tenure.session s, unnest(s.queues) AS n (queue)
            WHERE s.ended_at IS NULL GROUP BY 1
        ), named AS (
            SELECT n.name FROM (
                SELECT p.name FROM plain p UNION SELECT l.name FROM laned l
                UNION SELECT p.name FROM parked p UNION SELECT r.queue FROM run r
                UNION SELECT c.name FROM crew c
                UNION (SELECT q.name FROM tenure.queue q WHERE q.name > $2
                       ORDER BY q.name LIMIT $3)
                UNION SELECT a.name FROM tenure.dead_letter a WHERE a.thing = 'queue'
            ) AS n WHERE $1 IS NULL AND n.name > $2 ORDER BY n.name LIMIT $3
        ), wanted AS (
            SELECT n.name, EXISTS (SELECT FROM laned l WHERE l.name = n.name) AS laned,
                   EXISTS (SELECT FROM parked p WHERE p.name = n.name) AS parked
            FROM named n
            UNION ALL SELECT DISTINCT u.name COLLATE "C", true, true FROM unnest($1) AS u (name)
        )
        SELECT n.name, q.paused_at, q.paused_by, q.max_running,
               least(greatest(p.due, f.number), $4) + least(greatest(l.due, g.number), $4),
               least(p.later, $4) + least(l.later, $4), least(h.waiting, $4), least(h.held, $4),
               coalesce(r.running, 0), least(p.oldest, f.oldest, l.oldest, g.oldest),
               coalesce(c.workers, 0), q.capacity, coalesce(r.claimed, 0), a.letter_kind,
               a.letter_queue,
               coalesce(greatest(p.due + p.later, l.due + l.later) > $4, false),
               coalesce(h.waiting + h.held > $4, false),
               tenure.in_seconds(nullif(q.min_interval, '0')),
               CASE WHEN q.min_interval > '0' THEN q.burst END,
               CASE WHEN tenure.is_shut(o.next_at, q.min_interval, q.burst, clock_timestamp())
                    THEN o.next_at - tenure.lane_pause(q.min_interval)
                              * (tenure.lane_burst(q.min_interval, q.burst) - 1) END,
               tenure.in_seconds(q.age_after)
        FROM wanted n
        LEFT JOIN tenure.queue q ON q.name = n.name
        LEFT JOIN LATERAL (
            SELECT o.next_at FROM tenure.queue_holders o
            WHERE q.min_interval > '0' AND o.queue = q.name ORDER BY o.n DESC LIMIT 1) AS o ON true
        LEFT JOIN crew c ON c.name = n.name
        LEFT JOIN running r ON r.queue = n.name
        LEFT JOIN tenure.dead_letter a ON a.thing = 'queue' AND a.name = n.name
        CROSS JOIN LATERAL (
            SELECT \(due) FROM (
                SELECT j.run_at FROM tenure.job j
                WHERE j.queue = n.name AND j.lane IS NULL
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.id NOT IN (SELECT t.id FROM taken t)
                ORDER BY j.priority, j.run_at LIMIT $4::bigint + 1) AS j) AS p
        CROSS JOIN LATERAL (
            SELECT count(*) AS number, min(first.run_at) AS oldest
            FROM generate_series(0, 9) AS i (priority) CROSS JOIN LATERAL (
                SELECT j.run_at FROM tenure.job j
                WHERE p.due + p.later > $4 AND (p.later > 0 OR $5::boolean)
                  AND j.queue = n.name AND j.lane IS NULL AND j.priority = i.priority
                  AND j.run_at <= statement_timestamp()
                  AND j.state IN ('scheduled', 'available', 'retryable')
                  AND j.id NOT IN (SELECT t.id FROM taken t)
                ORDER BY j.run_at LIMIT 1) AS first) AS f
        CROSS JOIN LATERAL (
            SELECT \(due) FROM (
                SELECT j.run_at FROM tenure.job j
                WHERE n.laned AND j.queue = n.name AND j.lane IS NOT NULL
                  AND j.state IN ('scheduled', 'available', 'retryable')
                ORDER BY j.lane, j.priority, j.run_at
                LIMIT \(laneBound) + 1) AS j) AS l
        CROSS JOIN LATERAL (
            SELECT count(*) AS number, min(first.run_at) AS oldest
            FROM (
                SELECT j.run_at FROM (
                    SELECT j.run_at FROM tenure.job j
                    WHERE l.due + l.later > \(laneBound) AND l.due = 0 AND j.queue = n.name
                      AND j.lane IS NOT NULL
                      AND j.state IN ('scheduled', 'available', 'retryable')
                    ORDER BY j.lane, j.priority, j.run_at LIMIT 100000) AS j
                WHERE j.run_at <= statement_timestamp() LIMIT 1) AS first) AS g
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE j.state = 'waiting') AS waiting,
                   count(*) FILTER (WHERE j.state = 'held') AS held
            FROM (SELECT j.state FROM tenure.job j
                  WHERE n.parked AND j.queue = n.name AND j.state IN ('waiting', 'held')
                  ORDER BY j.state, j.kind LIMIT $4 + 1) AS j) AS h
        WHERE $1 IS NULL OR q.name IS NOT NULL OR c.name IS NOT NULL OR a.name IS NOT NULL
           OR r.queue IS NOT NULL
           OR p.due + p.later + l.due + l.later + h.waiting + h.held > 0
        ORDER BY n.name
        """
    static let isPlannedForItsValues = true
    /// Where there are more than the bound anyhow, enough to see that some are in lanes: those lie
    /// far from each other.
    private static let laneBound =
        "CASE WHEN p.due + p.later > $4 THEN least($4, 100) ELSE $4 END"
    private static let due = """
        count(*) FILTER (WHERE j.run_at <= clock_timestamp()) AS due,
                   count(*) FILTER (WHERE j.run_at > clock_timestamp()) AS later,
                   min(j.run_at) FILTER (WHERE j.run_at <= clock_timestamp()) AS oldest
        """
    /// Only these; nil: all.
    var named: [QueueName]?
    /// Only those behind this one, by bytes.
    var after = ""
    /// How many queues; nil: all.
    var limit: Int?
    /// How far each count goes; nil: to its end.
    var most: Int?
    /// Whether it is looked beyond a bound for the job that has been due for longest, which takes
    /// ten looks into an index a queue.
    var findsOldest = true

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(named?.map(\.rawValue))
        try parameters.append(after)
        try parameters.append(limit.map(JobLimits.rows))
        try parameters.append(most.map(JobLimits.rows))
        try parameters.append(findsOldest)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueStatus {
        QueueStatus(
            name: QueueName(try row.decode(0, as: String.self)), pausedAt: try row.decode(1),
            pausedBy: try row.decode(2),
            maxRunning: try row.decode(3, as: Int32?.self).map(Int.init),
            minInterval: try row.decode(17),
            burst: try row.decode(18, as: Int32?.self).map(Int.init), opensAt: try row.decode(19),
            ageAfter: try row.decode(20),
            capacity: try row.decode(11, as: Int32?.self).map(Int.init),
            due: try count(row, 4), later: try count(row, 5), waiting: try count(row, 6),
            held: try count(row, 7), running: try count(row, 8),
            claimed: try count(row, 12), oldestDue: try row.decode(9),
            workers: try count(row, 10),
            letters: LetterAddress(kind: try row.decode(13), queue: try row.decode(14)),
            pendingIsAtLeast: try row.decode(15), parkedIsAtLeast: try row.decode(16))
    }

    private static func count(_ row: borrowing PostgresRow, _ column: Int) throws -> Int {
        Int(try row.decode(column, as: Int64.self))
    }
}
