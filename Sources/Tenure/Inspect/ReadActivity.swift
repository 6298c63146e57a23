public import TenureFoundation
import TenurePostgres

/// What has happened in the queue's tables since the server began to count: two readings make a
/// rate. The server's own counters, so reading them costs the same on a busy queue; they are up to
/// a second old, and count what was rolled back too.
public struct Activity: Sendable {
    public let at: Date
    public let enqueued: Int
    /// Completed, discarded, cancelled, superseded: left the table of unfinished jobs.
    public let ended: Int
    public let discarded: Int
    public let failedAttempts: Int
}

struct ReadActivity: PostgresStatement {
    static let sql = """
        WITH parts AS (
            SELECT t.relid, 'discarded' AS what FROM pg_partition_tree(
                'tenure.job_history_discarded'::regclass) AS t WHERE t.isleaf
            UNION ALL
            SELECT t.relid, 'failed' FROM pg_partition_tree(
                'tenure.attempt_error'::regclass) AS t WHERE t.isleaf
        )
        SELECT clock_timestamp(), pg_stat_get_tuples_inserted('tenure.job'::regclass),
               pg_stat_get_tuples_deleted('tenure.job'::regclass),
               coalesce(sum(pg_stat_get_tuples_inserted(p.relid))
                   FILTER (WHERE p.what = 'discarded'), 0)::bigint,
               coalesce(sum(pg_stat_get_tuples_inserted(p.relid))
                   FILTER (WHERE p.what = 'failed'), 0)::bigint
        FROM parts p
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Activity {
        Activity(
            at: try row.decode(0), enqueued: Int(try row.decode(1, as: Int64.self)),
            ended: Int(try row.decode(2, as: Int64.self)),
            discarded: Int(try row.decode(3, as: Int64.self)),
            failedAttempts: Int(try row.decode(4, as: Int64.self)))
    }
}
