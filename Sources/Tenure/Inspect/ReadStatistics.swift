import TenurePostgres

/// What became of a kind's jobs in a stretch of time that ends now.
public struct KindStatistics: Sendable {
    public let queue: QueueName
    public let kind: JobKind
    public let completed: Int
    public let discarded: Int
    public let cancelled: Int
    public let superseded: Int
    /// From due to its last start: the median, and what 95 of 100 waited at most.
    public let waitMedian: Duration?
    public let wait95: Duration?
    /// The same of the last run.
    public let runMedian: Duration?
    public let run95: Duration?
    /// Nil, too, where only some were read.
    public let runLongest: Duration?
    /// The time that runs took whose results nobody wanted any more.
    public let supersededWork: Duration
    /// Attempts that failed, of these and of unfinished jobs; nil where only some were read.
    public let failures: Int?
    /// Those of the discarded that had not begun by their `notAfter`.
    public let expired: Int
}

extension KindStatistics: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "queue": queue, "kind": kind, "completed": completed, "failedAttempts": failures,
            "discarded": discarded, "expired": expired, "cancelled": cancelled,
            "superseded": superseded,
            "waitMedianSeconds": waitMedian?.inSeconds, "wait95Seconds": wait95?.inSeconds,
            "runMedianSeconds": runMedian?.inSeconds, "run95Seconds": run95?.inSeconds,
            "runLongestSeconds": runLongest?.inSeconds,
            "supersededWorkSeconds": supersededWork.inSeconds,
        ])
    }
}

/// What became of jobs, by kind and queue, as far as history was read.
package struct SampledStatistics: Sendable {
    package let kinds: [KindStatistics]
    /// Of history in the days in question so much was read. 1: all; else counts are estimates.
    package let share: Double
}

/// Reads through the history of the days in question, or through some pages of it, the same ones
/// each time. Queues that keep no completed jobs show none. The time is between bounds that don't
/// change while the statement runs: partitions of other days are left out, the default one, too,
/// wherever those of these days are there.
///
/// The discarded lie in partitions of their own, and are mostly few: they are read to a share of
/// their own, and of the more fully read only so many stand in the medians. Whose failed attempts
/// they were is looked for by id, in all partitions: only where all is read.
struct ReadStatistics: PostgresStatement {
    static let sql = """
        WITH shares AS MATERIALIZED (
            SELECT least(100, 100::float8 * ($3::integer - $3 / 4)
                         / nullif(sum(p.pages) FILTER (WHERE NOT p.is_discarded), 0)) AS ended,
                   least(100, 100::float8 * ($3 / 4)
                         / nullif(sum(p.pages) FILTER (WHERE p.is_discarded), 0)) AS discarded
            FROM (SELECT starts_with(c.relname, 'job_history_discarded') AS is_discarded,
                         pg_relation_size(c.oid) / current_setting('block_size')::bigint AS pages
                  FROM pg_partition_tree('tenure.job_history') t JOIN pg_class c ON c.oid = t.relid
                  WHERE t.isleaf AND coalesce(substring(c.relname FROM '_([0-9]{8})$') >= to_char(
                      (statement_timestamp() - $1::interval) AT TIME ZONE 'UTC', 'YYYYMMDD'), true)
                 ) AS p
        ), past AS (
            SELECT h.id, h.queue, h.kind, h.outcome, false AS has_expired, h.run_at, h.created_at,
                   h.claimed_at, h.finished_at, s.ended AS share
            FROM tenure.job_history h TABLESAMPLE SYSTEM ((SELECT s.ended FROM shares s))
                 REPEATABLE (1) CROSS JOIN shares s
            WHERE h.outcome IN ('completed', 'cancelled', 'superseded')
              AND h.finished_at > statement_timestamp() - $1
              AND h.finished_at < statement_timestamp() + interval '1 day'
              AND ($2::text IS NULL OR h.queue = $2)
            UNION ALL
            SELECT h.id, h.queue, h.kind, h.outcome,
                   coalesce(starts_with(h.reason, 'expired: '), false), h.run_at, h.created_at,
                   h.claimed_at, h.finished_at, s.discarded
            FROM tenure.job_history h TABLESAMPLE SYSTEM ((SELECT s.discarded FROM shares s))
                 REPEATABLE (1) CROSS JOIN shares s
            WHERE h.outcome = 'discarded'
              AND h.finished_at > statement_timestamp() - $1
              AND h.finished_at < statement_timestamp() + interval '1 day'
              AND ($2 IS NULL OR h.queue = $2)
        ), weighed AS (
            SELECT p.*, p.claimed_at IS NOT NULL AND (p.share = least(s.ended, s.discarded)
                       OR abs(uuid_hash(p.id)::bigint)
                          < 2147483648 * least(s.ended, s.discarded) / p.share) AS is_timed
            FROM past p CROSS JOIN shares s
        ), ended AS (
            SELECT w.queue, w.kind,
                   count(*) FILTER (WHERE w.outcome = 'completed') * 100 / min(w.share)
                       FILTER (WHERE w.outcome <> 'discarded') AS completed,
                   count(*) FILTER (WHERE w.outcome = 'discarded') * 100 / min(w.share)
                       FILTER (WHERE w.outcome = 'discarded') AS discarded,
                   count(*) FILTER (WHERE w.has_expired) * 100 / min(w.share)
                       FILTER (WHERE w.outcome = 'discarded') AS expired,
                   count(*) FILTER (WHERE w.outcome = 'cancelled') * 100 / min(w.share)
                       FILTER (WHERE w.outcome <> 'discarded') AS cancelled,
                   count(*) FILTER (WHERE w.outcome = 'superseded') * 100 / min(w.share)
                       FILTER (WHERE w.outcome <> 'discarded') AS superseded,
                   percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY
                       extract(epoch FROM w.claimed_at - greatest(w.run_at, w.created_at))::float8)
                       FILTER (WHERE w.is_timed
                                 AND isfinite(greatest(w.run_at, w.created_at))) AS waits,
                   percentile_disc(ARRAY[0.5, 0.95, 1]) WITHIN GROUP (ORDER BY
                       extract(epoch FROM w.finished_at - w.claimed_at)::float8)
                       FILTER (WHERE w.is_timed) AS runs,
                   sum(extract(epoch FROM w.finished_at - w.claimed_at)::float8 * 100 / w.share)
                       FILTER (WHERE w.outcome = 'superseded') AS superseded_work
            FROM weighed w GROUP BY w.queue, w.kind
        ), failed AS (
            SELECT j.queue, j.kind, count(*) AS failures
            FROM tenure.attempt_error e CROSS JOIN LATERAL (
                SELECT j.queue, j.kind FROM tenure.job j WHERE j.id = e.job_id
                UNION ALL
                SELECT h.queue, h.kind FROM tenure.job_history h WHERE h.id = e.job_id
                LIMIT 1) AS j
            WHERE (SELECT s.ended = 100 AND s.discarded = 100 FROM shares s)
              AND e.failed_at > statement_timestamp() - $1
              AND e.failed_at < statement_timestamp() + interval '1 day'
              AND ($2 IS NULL OR j.queue = $2)
            GROUP BY j.queue, j.kind
        )
        SELECT coalesce(e.queue, f.queue), coalesce(e.kind, f.kind),
               coalesce(round(e.completed), 0)::bigint, coalesce(round(e.discarded), 0)::bigint,
               coalesce(round(e.cancelled), 0)::bigint, coalesce(round(e.superseded), 0)::bigint,
               greatest(e.waits[1], 0), greatest(e.waits[2], 0), e.runs[1], e.runs[2], e.runs[3],
               coalesce(e.superseded_work, 0), coalesce(f.failures, 0),
               coalesce(round(e.expired), 0)::bigint,
               least(s.ended, s.discarded) / 100
        FROM shares s
        LEFT JOIN (ended e FULL JOIN failed f ON f.queue = e.queue AND f.kind = e.kind) ON true
        ORDER BY 1, 3 DESC, 2
        """
    let since: Duration
    let queue: QueueName?
    /// How many pages of history are read, a quarter of them of the discarded; nil: all.
    let pages: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(since)
        try parameters.append(queue?.rawValue)
        try parameters.append(pages.map { Int32($0) })
    }

    /// What became of a kind's jobs, if anything ended; and of how much of history that is.
    static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (kind: KindStatistics?, share: Double) {
        let share = try row.decode(14, as: Double.self)
        guard let queue = try row.decode(0, as: String?.self) else { return (nil, share) }
        let kind = KindStatistics(
            queue: QueueName(queue), kind: JobKind(try row.decode(1, as: String.self)),
            completed: try count(row, 2), discarded: try count(row, 3),
            cancelled: try count(row, 4), superseded: try count(row, 5),
            waitMedian: try seconds(row, 6), wait95: try seconds(row, 7),
            runMedian: try seconds(row, 8), run95: try seconds(row, 9),
            runLongest: share < 1 ? nil : try seconds(row, 10),
            supersededWork: try seconds(row, 11) ?? .zero,
            failures: share < 1 ? nil : try count(row, 12), expired: try count(row, 13))
        return (kind, share)
    }

    private static func count(_ row: borrowing PostgresRow, _ column: Int) throws -> Int {
        Int(try row.decode(column, as: Int64.self))
    }

    private static func seconds(
        _ row: borrowing PostgresRow, _ column: Int
    ) throws -> Duration? {
        try row.decode(column, as: Double?.self).map { .seconds($0) }
    }
}
