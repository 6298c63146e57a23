import TenurePostgres

/// What a queue's jobs of one kind are doing.
public struct QueueKind: Sendable {
    public let kind: JobKind
    public let due: Int
    public let later: Int
    public let waiting: Int
    public let held: Int
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
    /// Counting ended at a bound: due and later are at least that many.
    public var pendingIsAtLeast = false
    /// The same of waiting and held.
    public var parkedIsAtLeast = false
}

extension QueueKind: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "kind": kind, "due": due, "running": running, "claimed": claimed, "later": later,
            "waiting": waiting, "held": held,
            "pendingAtLeast": pendingIsAtLeast, "parkedAtLeast": parkedIsAtLeast,
        ])
    }
}

/// What the jobs of each kind are doing, as a table `line`, counted to a bound.
enum KindCounts {
    /// - Parameters:
    ///   - runs: which of the runs.
    ///   - pending: kind, part and run time of those that wait for their turn; a part of them is
    ///     counted to the bound by itself. `taken` are the ids of those that run.
    ///   - parked: kind and state of those that wait for others, or are held.
    ///   - most: the bound's parameter.
    ///   - before: tables that `pending` is made of, made of `taken`.
    ///   - isAtLeast: whether there are more of those that wait than the bound tells.
    static func tables(
        runs: String, pending: String, parked: String, most: String, before: String = "",
        isAtLeast: String = "false"
    ) -> String {
        """
        run AS MATERIALIZED (
            SELECT r.id, r.kind, coalesce(tenure.has_begun(r.session_id, r.queue, r.fence), false)
                AS has_begun
            FROM tenure.run_seen r WHERE \(runs)
        ), taken AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(SELECT r.id FROM run r)) AS u (id)
        ), \(before)pending AS MATERIALIZED (
            SELECT j.kind, j.part, count(*) FILTER (WHERE j.run_at <= clock_timestamp()) AS due,
                   count(*) FILTER (WHERE j.run_at > clock_timestamp()) AS later
            FROM (\(pending)) AS j (kind, part, run_at) GROUP BY j.kind, j.part
        ), parked AS MATERIALIZED (\(parked)), bound AS (
            SELECT coalesce((SELECT max(t.number) FROM (
                       SELECT sum(p.due + p.later) FROM pending p GROUP BY p.part
                   ) AS t (number)) > \(most) OR \(isAtLeast), false) AS pending,
                   coalesce((SELECT count(*) FROM parked) > \(most), false) AS parked
        ), line AS (
            SELECT k.kind, least(sum(k.due), \(most))::bigint AS due,
                   least(sum(k.later), \(most))::bigint AS later,
                   least(sum(k.waiting), \(most))::bigint AS waiting,
                   least(sum(k.held), \(most))::bigint AS held,
                   sum(k.running)::bigint AS running, sum(k.claimed)::bigint AS claimed
            FROM (
                SELECT p.kind, p.due, p.later, 0::bigint, 0::bigint, 0::bigint, 0::bigint
                FROM pending p
                UNION ALL
                SELECT j.kind, 0, 0, count(*) FILTER (WHERE j.state = 'waiting'),
                       count(*) FILTER (WHERE j.state = 'held'), 0, 0 FROM parked j GROUP BY j.kind
                UNION ALL
                SELECT r.kind, 0, 0, 0, 0, count(*) FILTER (WHERE r.has_begun),
                       count(*) FILTER (WHERE NOT r.has_begun) FROM run r GROUP BY r.kind
            ) AS k (kind, due, later, waiting, held, running, claimed) GROUP BY k.kind
        )
        """
    }
}

/// Up to a bound, those that wait are counted in the order of claims; others by what they wait for.
struct ListQueueKinds: PostgresStatement {
    static let sql = """
        WITH \(tables)
        SELECT l.kind, l.due, l.later, l.waiting, l.held, l.running, l.claimed, b.pending, b.parked
        FROM line l CROSS JOIN bound b
        ORDER BY l.due + l.later + l.waiting + l.held + l.running + l.claimed DESC, l.kind
        """
    private static let tables = KindCounts.tables(
        runs: "r.queue = $1", pending: pending, parked: parked, most: "$2", before: plain)
    private static let plain = """
        plain AS MATERIALIZED (
            SELECT j.kind, j.run_at FROM tenure.job j
            WHERE $2::bigint IS NOT NULL AND j.queue = $1 AND j.lane IS NULL
              AND j.state IN ('scheduled', 'available', 'retryable')
              AND j.id NOT IN (SELECT t.id FROM taken t)
            ORDER BY j.priority, j.run_at LIMIT $2 + 1
        ),
        """
    private static let pending = """
        SELECT j.kind, true, j.run_at FROM tenure.job j
        WHERE $2 IS NULL AND j.queue = $1
          AND j.state IN ('scheduled', 'available', 'retryable')
          AND j.id NOT IN (SELECT t.id FROM taken t)
        UNION ALL
        SELECT p.kind, true, p.run_at FROM plain p
        UNION ALL (
        SELECT j.kind, false, j.run_at FROM tenure.job j
        WHERE $2 IS NOT NULL AND j.queue = $1 AND j.lane IS NOT NULL
          AND j.state IN ('scheduled', 'available', 'retryable')
        ORDER BY j.lane, j.priority, j.run_at
        -- Where there are more than the bound anyhow, some of those in lanes.
        LIMIT CASE WHEN (SELECT count(*) FROM plain) > $2 THEN $2 / 4 ELSE $2 END + 1)
        """
    private static let parked = """
        SELECT j.kind, j.state FROM tenure.job j
        WHERE j.queue = $1 AND j.state IN ('waiting', 'held')
        ORDER BY j.state, j.kind LIMIT $2 + 1
        """
    static let isPlannedForItsValues = true
    let queue: QueueName
    /// How far each count goes; nil: to its end.
    var most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(most.map(JobLimits.rows))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueKind {
        QueueKind(
            kind: JobKind(try row.decode(0, as: String.self)),
            due: Int(try row.decode(1, as: Int64.self)),
            later: Int(try row.decode(2, as: Int64.self)),
            waiting: Int(try row.decode(3, as: Int64.self)),
            held: Int(try row.decode(4, as: Int64.self)),
            running: Int(try row.decode(5, as: Int64.self)),
            claimed: Int(try row.decode(6, as: Int64.self)), pendingIsAtLeast: try row.decode(7),
            parkedIsAtLeast: try row.decode(8))
    }
}

/// How many of a queue's jobs run, or are about to: what is claimed counts. By session, because few
/// do and many wait.
struct CountRunning: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM tenure.run_seen j WHERE j.queue = $1
        """
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
