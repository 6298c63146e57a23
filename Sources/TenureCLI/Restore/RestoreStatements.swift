import Tenure

/// What each sequence gave last, and the largest number of its kind that a table holds.
struct ReadNumbers: PostgresStatement {
    static let sql = """
        SELECT (SELECT s.last_value + CASE WHEN s.is_called THEN 1023 ELSE -1 END
                FROM tenure.fence s),
               (SELECT s.last_value - CASE WHEN s.is_called THEN 0 ELSE 1 END
                FROM tenure.generation s),
               (SELECT s.last_value - CASE WHEN s.is_called THEN 0 ELSE 1 END
                FROM tenure.session_id_seq s),
               greatest(
                   0, (SELECT max(j.fence) FROM tenure.job j),
                   (SELECT max(c.number + 1023) FROM tenure.claim_row c),
                   (SELECT max(h.fence) FROM tenure.job_history h),
                   (SELECT max(e.fence) FROM tenure.attempt_error e),
                   (SELECT max(f) FROM tenure.queue_holders q, unnest(q.running_fences) AS f),
                   (SELECT max(f) FROM tenure.lane_holders l, unnest(l.running_fences) AS f)),
               greatest(
                   0, (SELECT max(j.generation) FROM tenure.job j),
                   (SELECT max(h.generation) FROM tenure.job_history h),
                   (SELECT max(greatest(s.issued, s.floor, s.committed)) FROM tenure.subject s)),
               greatest(
                   0, (SELECT max(s.id) FROM tenure.session s),
                   (SELECT max(j.session_id) FROM tenure.job j),
                   (SELECT max(h.session_id) FROM tenure.job_history h),
                   (SELECT max(e.session_id) FROM tenure.attempt_error e)),
               (SELECT count(*) FROM tenure.session s WHERE s.ended_at IS NULL),
               (SELECT count(*) FROM tenure.run_seen)
        """

    /// Fences, generations, sessions.
    struct Answer: Sendable {
        let given: [Int64]
        let found: [Int64]
        let openSessions: Int64
        let runningJobs: Int64
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Answer {
        Answer(
            given: [try row.decode(0), try row.decode(1), try row.decode(2)],
            found: [try row.decode(3), try row.decode(4), try row.decode(5)],
            openSessions: try row.decode(6), runningJobs: try row.decode(7))
    }
}

/// Sets the sequences forward; one that is further already stays.
struct RaiseNumbers: PostgresStatement {
    static let sql = """
        SELECT setval('tenure.fence', greatest(
                   -- Fences are given by the thousand.
                   tenure.claim_of($1 + 1023), (SELECT s.last_value FROM tenure.fence s))),
               setval('tenure.generation',
                      greatest($2, (SELECT s.last_value FROM tenure.generation s))),
               setval('tenure.session_id_seq',
                      greatest($3, (SELECT s.last_value FROM tenure.session_id_seq s)))
        """
    let fence: Int64
    let generation: Int64
    let session: Int64

    func bind(_ parameters: inout PostgresParameters) throws {
        // A sequence begins at 1.
        for number in [fence, generation, session] { try parameters.append(max(1, number)) }
    }
}

/// Declares every open session dead, as `tenure.declare_dead` does one: whoever works gives their
/// jobs back.
struct EndOpenSessions: PostgresStatement {
    static let sql = """
        WITH open AS MATERIALIZED (
            SELECT s.id FROM tenure.session s WHERE s.ended_at IS NULL ORDER BY s.id FOR UPDATE
        )
        UPDATE tenure.session s SET ended_at = clock_timestamp(), died = true
        FROM open o WHERE s.id = o.id
        """
}
