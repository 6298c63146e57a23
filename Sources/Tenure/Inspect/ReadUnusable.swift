public import TenureFoundation
import TenurePostgres

/// What nobody can handle as it stands, and all others pass over.
public struct Unusable: Sendable {
    /// Batches that ended within a day and whose follow-up was refused; the last of them, and why.
    public let refusedTrees: Int
    public let refusedBatch: UUID?
    public let refusal: String?
    /// Lanes whose interval no clock can bear: they wait as long as a lane may. And one of them.
    public let lanes: Int
    public let lane: String?
    /// Pending jobs that no claim can take: due at no time, of a priority that there isn't, or in a
    /// lane that is missing. And one of them.
    public let jobs: Int
    public let job: JobID?
}

struct ReadUnusable: PostgresStatement {
    static let sql = """
        WITH lanes AS (
            SELECT l.queue || ' ' || l.name AS name FROM tenure.lane l
            WHERE l.min_interval <> tenure.lane_pause(l.min_interval)
        ), jobs AS (
            SELECT j.id FROM tenure.job j
            WHERE j.state IN ('scheduled', 'available', 'retryable')
              AND (j.run_at = 'infinity' OR j.priority NOT BETWEEN 0 AND 9
                   OR j.lane IS NOT NULL AND NOT EXISTS (
                       SELECT FROM tenure.lane l WHERE l.queue = j.queue AND l.name = j.lane))
        ), batches AS (
            SELECT r.id, r.refused, r.ended_at FROM tenure.batch r
            WHERE r.refused IS NOT NULL AND r.ended_at > clock_timestamp() - interval '1 day'
        )
        SELECT (SELECT count(*) FROM batches), last.id, last.refused,
               (SELECT count(*) FROM lanes), (SELECT min(l.name) FROM lanes l),
               (SELECT count(*) FROM jobs), (SELECT j.id FROM jobs j LIMIT 1)
        FROM (SELECT) AS one LEFT JOIN (
            SELECT t.id, t.refused FROM batches t ORDER BY t.ended_at DESC LIMIT 1) AS last ON true
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Unusable {
        Unusable(
            refusedTrees: Int(try row.decode(0, as: Int64.self)),
            refusedBatch: try row.decode(1), refusal: try row.decode(2),
            lanes: Int(try row.decode(3, as: Int64.self)), lane: try row.decode(4),
            jobs: Int(try row.decode(5, as: Int64.self)),
            job: try row.decode(6, as: UUID?.self).map { JobID($0) })
    }
}
