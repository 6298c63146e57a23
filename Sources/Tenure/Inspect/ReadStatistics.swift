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
    /// Attempts that failed, of these and of unfinished jobs; nil where only some were read, or
    /// there are too many to be looked for at each look.
    public let failures: Int?
    /// Those of the discarded that had not begun by their `notAfter`.
    public let expired: Int
}

extension KindStatistics: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "queue": queue, "kind": kind, "completed": completed, "failedAttempts": failures,
            "discarded": discarded, "expired": expired, "cancelled": cancelled,
            "superseded": superseded, "waitMedianSeconds": waitMedian?.inSeconds,
            "wait95Seconds": wait95?.inSeconds, "runMedianSeconds": runMedian?.inSeconds,
            "run95Seconds": run95?.inSeconds, "runLongestSeconds": runLongest?.inSeconds,
            "supersededWorkSeconds": supersededWork.inSeconds,
        ])
    }
}

/// Reads through the history of the days in question. Queues that keep no completed jobs show none.
/// The time is between bounds that don't change while the statement runs: partitions of other days
/// are left out, the default one, too, wherever those of these days are there.
struct ReadStatistics: PostgresStatement {
    static let sql = """
        WITH ended AS (
            SELECT h.queue, h.kind,
                   count(*) FILTER (WHERE h.outcome = 'completed') AS completed,
                   count(*) FILTER (WHERE h.outcome = 'discarded') AS discarded,
                   count(*) FILTER (WHERE h.outcome = 'discarded'
                                      AND starts_with(h.reason, 'expired: ')) AS expired,
                   count(*) FILTER (WHERE h.outcome = 'cancelled') AS cancelled,
                   count(*) FILTER (WHERE h.outcome = 'superseded') AS superseded,
                   percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY
                       greatest(0, extract(epoch FROM
                           h.claimed_at - greatest(h.run_at, h.created_at)))::float8)
                       FILTER (WHERE isfinite(h.claimed_at)
                                 AND isfinite(greatest(h.run_at, h.created_at))) AS waits,
                   percentile_disc(ARRAY[0.5, 0.95, 1]) WITHIN GROUP (ORDER BY
                       greatest(0, extract(epoch FROM h.finished_at - h.claimed_at))::float8)
                       FILTER (WHERE isfinite(h.claimed_at)) AS runs,
                   sum(greatest(0, extract(epoch FROM h.finished_at - h.claimed_at))::float8)
                       FILTER (WHERE h.outcome = 'superseded'
                                 AND isfinite(h.claimed_at)) AS superseded_work
            FROM tenure.job_history h
            WHERE h.finished_at > statement_timestamp() - $1::interval
              AND h.finished_at < statement_timestamp() + interval '1 day'
              AND ($2::text IS NULL OR h.queue = $2)
            GROUP BY h.queue, h.kind
        ), failed AS (
            SELECT j.queue, j.kind, count(*) AS failures
            FROM tenure.attempt_error e CROSS JOIN LATERAL (
                SELECT j.queue, j.kind FROM tenure.job j WHERE j.id = e.job_id
                UNION ALL
                -- It ended behind that: not in partitions of days before.
                SELECT h.queue, h.kind FROM tenure.job_history h
                WHERE h.id = e.job_id AND h.finished_at > statement_timestamp() - $1::interval
                LIMIT 1) AS j
            WHERE e.failed_at > statement_timestamp() - $1::interval
              AND e.failed_at < statement_timestamp() + interval '1 day'
              AND ($2::text IS NULL OR j.queue = $2)
            GROUP BY j.queue, j.kind
        )
        SELECT coalesce(e.queue, f.queue), coalesce(e.kind, f.kind), coalesce(e.completed, 0),
               coalesce(e.discarded, 0), coalesce(e.cancelled, 0), coalesce(e.superseded, 0),
               e.waits[1], e.waits[2], e.runs[1], e.runs[2], e.runs[3],
               coalesce(e.superseded_work, 0), coalesce(f.failures, 0),
               coalesce(e.expired, 0)
        FROM ended e FULL JOIN failed f ON f.queue = e.queue AND f.kind = e.kind
        ORDER BY 1, 3 DESC, 2
        """
    let since: Duration
    let queue: QueueName?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(since)
        try parameters.append(queue?.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> KindStatistics {
        KindStatistics(
            queue: QueueName(try row.decode(0, as: String.self)),
            kind: JobKind(try row.decode(1, as: String.self)), completed: try count(row, 2),
            discarded: try count(row, 3), cancelled: try count(row, 4),
            superseded: try count(row, 5), waitMedian: try seconds(row, 6),
            wait95: try seconds(row, 7), runMedian: try seconds(row, 8),
            run95: try seconds(row, 9), runLongest: try seconds(row, 10),
            supersededWork: try seconds(row, 11) ?? .zero, failures: try count(row, 12),
            expired: try count(row, 13))
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
