import TenurePostgres

/// What became of jobs, by kind and queue, as far as history was read.
package struct SampledStatistics: Sendable {
    package let kinds: [KindStatistics]
    /// Of the pages written in that time so much was read.
    package let share: Double
    /// Whether nothing was left out. Else counts are estimates; where all was read (`share` is 1),
    /// failed attempts alone are too many to be looked for.
    package let isWhole: Bool
}

/// The same as ``ReadStatistics`` of all queues, from some pages of history. Who failed is looked
/// for by id: not here.
struct SampleStatistics: PostgresStatement {
    static let sql = """
        WITH past AS MATERIALIZED (
            SELECT * FROM tenure.some_of_history(statement_timestamp() - $1::interval, $2)
        ), sums AS MATERIALIZED (
            SELECT row_number() OVER () AS number, s.*
            FROM (SELECT p.queue, p.kind,
                         sum(p.weight) FILTER (WHERE p.outcome = 'completed') AS completed,
                         sum(p.weight) FILTER (WHERE p.outcome = 'discarded') AS discarded,
                         sum(p.weight) FILTER (WHERE p.outcome = 'cancelled') AS cancelled,
                         sum(p.weight) FILTER (WHERE p.outcome = 'superseded') AS superseded,
                         sum(p.weight) FILTER (WHERE p.has_expired) AS expired,
                         sum(p.weight * p.ran) FILTER (WHERE p.outcome = 'superseded')
                             AS superseded_work,
                         sum(p.weight) FILTER (WHERE p.waited IS NOT NULL) AS waited,
                         sum(p.weight) FILTER (WHERE p.ran IS NOT NULL) AS ran
                  FROM past p WHERE p.kind IS NOT NULL GROUP BY p.queue, p.kind) AS s
        ), numbered AS MATERIALIZED (
            -- Sorted twice, by a number instead of two texts.
            SELECT s.number, p.waited, p.ran, p.weight, s.waited AS all_waited, s.ran AS all_ran
            FROM past p JOIN sums s ON s.queue = p.queue AND s.kind = p.kind
        ), waits AS (
            SELECT w.number, min(w.waited) FILTER (WHERE w.upto >= w.total * 0.5) AS half,
                   min(w.waited) FILTER (WHERE w.upto >= w.total * 0.95) AS most
            FROM (SELECT n.number, n.waited, n.all_waited AS total,
                         sum(n.weight) OVER (PARTITION BY n.number ORDER BY n.waited) AS upto
                  FROM numbered n WHERE n.waited IS NOT NULL) AS w GROUP BY w.number
        ), runs AS (
            SELECT r.number, min(r.ran) FILTER (WHERE r.upto >= r.total * 0.5) AS half,
                   min(r.ran) FILTER (WHERE r.upto >= r.total * 0.95) AS most
            FROM (SELECT n.number, n.ran, n.all_ran AS total,
                         sum(n.weight) OVER (PARTITION BY n.number ORDER BY n.ran) AS upto
                  FROM numbered n WHERE n.ran IS NOT NULL) AS r GROUP BY r.number
        )
        SELECT s.queue, s.kind, coalesce(round(s.completed), 0)::bigint,
               coalesce(round(s.discarded), 0)::bigint, coalesce(round(s.cancelled), 0)::bigint,
               coalesce(round(s.superseded), 0)::bigint, w.half, w.most, r.half, r.most,
               coalesce(s.superseded_work, 0), coalesce(round(s.expired), 0)::bigint, i.weight,
               i.is_whole
        FROM (SELECT p.weight, p.is_whole FROM past p WHERE p.kind IS NULL) AS i
        LEFT JOIN (sums s LEFT JOIN waits w ON w.number = s.number
                   LEFT JOIN runs r ON r.number = s.number) ON true
        ORDER BY 1, 3 DESC, 2
        """
    let since: Duration
    /// How many are read, a quarter of them of the discarded; one more of each partition at most.
    let pages: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(since)
        try parameters.append(Int32(pages))
    }

    /// What became of a kind's jobs, if any ended; and how much was read.
    typealias Row = (kind: KindStatistics?, share: Double, isWhole: Bool)

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        func count(_ column: Int, _ row: borrowing PostgresRow) throws -> Int {
            Int(try row.decode(column, as: Int64.self))
        }
        func time(_ column: Int, _ row: borrowing PostgresRow) throws -> Duration? {
            try row.decode(column, as: Double?.self).map { .seconds($0) }
        }
        let (share, isWhole): (Double, Bool) = (try row.decode(12), try row.decode(13))
        guard let queue = try row.decode(0, as: String?.self) else { return (nil, share, isWhole) }
        let kind = KindStatistics(
            queue: QueueName(queue), kind: JobKind(try row.decode(1, as: String.self)),
            completed: try count(2, row), discarded: try count(3, row),
            cancelled: try count(4, row), superseded: try count(5, row),
            waitMedian: try time(6, row), wait95: try time(7, row), runMedian: try time(8, row),
            run95: try time(9, row), runLongest: nil,
            supersededWork: try time(10, row) ?? .zero, failures: nil, expired: try count(11, row))
        return (kind, share, isWhole)
    }
}
