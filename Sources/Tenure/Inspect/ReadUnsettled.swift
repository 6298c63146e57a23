import TenureFoundation
import TenurePostgres

/// Jobs that wait for other jobs of which none is unfinished, nor ended a moment ago, and for no
/// key that may still commit, or that wait for nothing at all: nobody lets them go. Of a thousand,
/// the oldest; for the doctor, who has time.
struct ReadUnsettled: PostgresStatement {
    static let most = 1000
    static let sql = """
        SELECT w.id
        FROM (SELECT j.id FROM tenure.job j
              WHERE j.state = 'waiting' AND j.waits_for_jobs
                AND j.created_at < clock_timestamp() - interval '1 min'
              ORDER BY j.id LIMIT \(most)) AS w
        WHERE NOT EXISTS (
            SELECT FROM (SELECT a.needs, a.made FROM tenure.job_after a
                         WHERE a.job_id = w.id OFFSET 0) AS a
            WHERE EXISTS (SELECT FROM tenure.job r
                          WHERE r.id = a.needs AND r.created_at = a.made OFFSET 0)
               OR EXISTS (SELECT FROM tenure.job_end e
                          WHERE e.id = a.needs AND e.made = a.made
                            AND e.ended_at >= clock_timestamp() - interval '1 min' OFFSET 0)
               OR EXISTS (SELECT FROM tenure.key_wait k JOIN tenure.job r
                            ON r.kind = k.kind AND r.key = k.key AND r.generation >= k.generation
                          WHERE k.id = a.needs AND k.is_open OFFSET 0)
            OFFSET 0)
        ORDER BY w.id
        """

    static func decode(_ row: borrowing PostgresRow) throws -> JobID {
        JobID(try row.decode(0, as: UUID.self))
    }
}
