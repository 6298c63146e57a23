import TenureFoundation
import TenurePostgres

/// What should have happened by now.
public struct Overdue: Sendable {
    /// Schedules whose tick is over a minute old, and the oldest of them.
    public let schedules: Int
    public let schedule: String?
    /// Runs that were cancelled over a minute ago and go on, and one of them.
    public let cancelled: Int
    public let cancelledJob: JobID?
    /// Jobs that wait for a run of their key that is over, and one of them.
    public let stranded: Int
    public let strandedJob: JobID?
    /// Sessions that were declared dead in the last hour, for their beat stood still for a lease,
    /// and the latest of them.
    public let died: Int
    public let diedSession: SessionID?
    /// Rows that no partition has room for, which the safety net has caught.
    public let outsidePartitions: Bool
    /// Whether history has a partition for tomorrow.
    public let hasTomorrow: Bool
}

struct ReadOverdue: PostgresStatement {
    static let sql = """
        SELECT (SELECT count(*) FROM tenure.schedule s
                WHERE s.paused_at IS NULL AND s.next_at < clock_timestamp() - interval '1 min'),
               (SELECT s.name FROM tenure.schedule s
                WHERE s.paused_at IS NULL AND s.next_at < clock_timestamp() - interval '1 min'
                ORDER BY s.next_at LIMIT 1),
               (SELECT count(*) FROM tenure.job j
                WHERE j.session_id IS NOT NULL
                  AND j.ending_at < clock_timestamp() - interval '1 min'),
               (SELECT j.id FROM tenure.job j
                WHERE j.session_id IS NOT NULL
                  AND j.ending_at < clock_timestamp() - interval '1 min'
                ORDER BY j.ending_at LIMIT 1),
               w.stranded, w.job,
               EXISTS (SELECT FROM tenure.job_history_ended_default)
                   OR EXISTS (SELECT FROM tenure.job_history_discarded_default)
                   OR EXISTS (SELECT FROM tenure.attempt_error_default),
               to_regclass('tenure.job_history_ended_' || to_char(
                   clock_timestamp() AT TIME ZONE 'UTC' + interval '1 day', 'YYYYMMDD'))
                   IS NOT NULL,
               d.died, d.latest
        FROM (SELECT count(*) AS stranded, min(j.id::text)::uuid AS job FROM tenure.job j
              WHERE j.state = 'waiting' AND NOT j.waits_for_jobs AND NOT EXISTS (
                  SELECT FROM tenure.job r
                  WHERE r.kind = j.kind AND r.key = j.key AND r.state = 'running')
                AND NOT EXISTS (
                  SELECT FROM tenure.job_wait a WHERE a.job_id = j.id)) AS w,
             -- By the index `session_list`, for which the moment has to be one.
             (SELECT count(*) AS died,
                     (array_agg(s.id ORDER BY coalesce(s.ended_at, 'infinity') DESC, s.id))[1]
                         AS latest
              FROM tenure.session s
              WHERE s.died AND coalesce(s.ended_at, 'infinity')
                               > statement_timestamp() - interval '1 hour') AS d
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Overdue {
        Overdue(
            schedules: Int(try row.decode(0, as: Int64.self)), schedule: try row.decode(1),
            cancelled: Int(try row.decode(2, as: Int64.self)),
            cancelledJob: try row.decode(3, as: UUID?.self).map { JobID($0) },
            stranded: Int(try row.decode(4, as: Int64.self)),
            strandedJob: try row.decode(5, as: UUID?.self).map { JobID($0) },
            died: Int(try row.decode(8, as: Int64.self)),
            diedSession: try row.decode(9, as: Int64?.self).map { SessionID($0) },
            outsidePartitions: try row.decode(6), hasTomorrow: try row.decode(7))
    }
}
