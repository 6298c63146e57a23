public import TenureFoundation
import TenurePostgres

/// A kind, over all queues, and what its jobs are doing.
public struct KindStatus: Sendable {
    public let kind: JobKind
    public let pausedAt: Date?
    /// An operator, or `the breaker`.
    public let pausedBy: String?
    public let reason: String?
    /// Due: a worker with a free slot would take them now, were the kind not paused.
    public let due: Int
    /// Pending with a run time ahead.
    public let later: Int
    public let waiting: Int
    public let held: Int
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
    /// Live sessions that run it.
    public let workers: Int
    /// Processes that died lately while they ran it, as far as the breaker looks back.
    public let deaths: Int
    /// Where letters of its discarded jobs go; nil: nowhere, unless the queue has an address.
    public var letters: LetterAddress?
    /// Counting ended at a bound: due and later are at least that many. What runs and what is
    /// claimed is always counted to its end.
    public var pendingIsAtLeast = false
    /// The same of waiting and held.
    public var parkedIsAtLeast = false
}

extension KindStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "name": kind, "paused": pausedAt != nil, "pausedAt": pausedAt, "pausedBy": pausedBy,
            "reason": reason, "due": due, "running": running, "claimed": claimed, "later": later,
            "waiting": waiting, "held": held, "workers": workers, "deaths": deaths,
            "letters": letters, "pendingAtLeast": pendingIsAtLeast,
            "parkedAtLeast": parkedIsAtLeast,
        ])
    }
}

/// The kinds that are paused or were, have a job or a live worker, or died. No index has the jobs
/// of a kind: up to a bound, the newest that wait are counted; beyond a thousand of them as many of
/// the others as some pages of the table hold, wherever they are, for each page is read once then.
struct ListKinds: PostgresStatement {
    static let sql = """
        WITH \(KindCounts.tables(runs: "true", pending: pending, parked: parked, most: "$1",
            before: newest, isAtLeast: isAtLeast)),
        crew AS (
            SELECT n.kind, count(*) AS workers
            FROM tenure.session s, unnest(s.kinds) AS n (kind)
            WHERE s.ended_at IS NULL GROUP BY n.kind
        ), died AS (
            SELECT d.kind, count(DISTINCT d.session_id) AS deaths
            FROM tenure.kind_death d GROUP BY d.kind
        ), named AS (
            SELECT k.name FROM tenure.kind k
            UNION SELECT l.kind FROM line l
            UNION SELECT c.kind COLLATE "C" FROM crew c
            UNION SELECT d.kind FROM died d
            UNION SELECT a.name FROM tenure.dead_letter a WHERE a.thing = 'kind'
        )
        SELECT n.name, k.paused_at, k.paused_by, k.reason, coalesce(l.due, 0),
               coalesce(l.later, 0), coalesce(l.waiting, 0), coalesce(l.held, 0),
               coalesce(l.running, 0), coalesce(c.workers, 0), coalesce(d.deaths, 0),
               coalesce(l.claimed, 0), a.letter_kind, a.letter_queue, b.pending, b.parked
        FROM named n CROSS JOIN bound b
        LEFT JOIN tenure.kind k ON k.name = n.name
        LEFT JOIN line l ON l.kind = n.name
        LEFT JOIN crew c ON c.kind = n.name
        LEFT JOIN died d ON d.kind = n.name
        LEFT JOIN tenure.dead_letter a ON a.thing = 'kind' AND a.name = n.name
        ORDER BY n.name
        """
    private static let pending = """
        SELECT j.kind, true, j.run_at FROM tenure.job j
        WHERE $1 IS NULL AND j.state IN ('scheduled', 'available', 'retryable')
          AND j.id NOT IN (SELECT t.id FROM taken t)
        UNION ALL
        SELECT n.kind, true, n.run_at FROM newest n
        UNION ALL (
        SELECT j.kind, true, j.run_at
        FROM tenure.job j TABLESAMPLE SYSTEM ((SELECT s.share FROM sample s)) REPEATABLE (1)
        WHERE $1 > \(few) AND (SELECT count(*) FROM newest) > \(few)
          AND j.id < (SELECT min(n.id::text)::uuid FROM newest n)
          AND j.state IN ('scheduled', 'available', 'retryable')
          AND j.id NOT IN (SELECT t.id FROM taken t) LIMIT $1 + 1)
        """
    private static let few = 1_000
    private static let pages = 300
    private static let newest = """
        newest AS MATERIALIZED (
            SELECT j.id, j.kind, j.run_at FROM tenure.job j
            WHERE $1::bigint IS NOT NULL AND j.state IN ('scheduled', 'available', 'retryable')
              AND j.id NOT IN (SELECT t.id FROM taken t)
            ORDER BY j.id DESC LIMIT least($1, \(few)) + 1
        ), sample AS MATERIALIZED (
            SELECT least(100, 100.0 * \(pages) * current_setting('block_size')::integer
                         / greatest(pg_relation_size('tenure.job'), 1))::real AS share
        ),
        """
    private static let isAtLeast = """
        $1 > \(few) AND (SELECT count(*) FROM newest) > \(few)
                   AND (SELECT s.share FROM sample s) < 100
        """
    private static let parked = """
        SELECT j.kind, j.state FROM tenure.job j WHERE j.state IN ('waiting', 'held')
        ORDER BY j.queue, j.state, j.kind LIMIT $1 + 1
        """
    static let isPlannedForItsValues = true
    /// How far jobs are counted; nil: to their end.
    var most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(most.map(JobLimits.rows))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> KindStatus {
        KindStatus(
            kind: JobKind(try row.decode(0, as: String.self)), pausedAt: try row.decode(1),
            pausedBy: try row.decode(2), reason: try row.decode(3), due: try count(row, 4),
            later: try count(row, 5), waiting: try count(row, 6), held: try count(row, 7),
            running: try count(row, 8), claimed: try count(row, 11), workers: try count(row, 9),
            deaths: try count(row, 10),
            letters: LetterAddress(kind: try row.decode(12), queue: try row.decode(13)),
            pendingIsAtLeast: try row.decode(14), parkedIsAtLeast: try row.decode(15))
    }

    private static func count(_ row: borrowing PostgresRow, _ column: Int) throws -> Int {
        Int(try row.decode(column, as: Int64.self))
    }
}
