import TenureFoundation
import TenurePostgres

/// Where jobs that match a filter are looked for. What claim rows speak for runs, whatever its own
/// row says.
///
/// A walk from the newest job on ends where enough have matched; a queue of few jobs, or a state
/// that few are in, is read as a whole by its index instead. `OFFSET 0` keeps the planner from
/// walking there all the same: it takes state, queue, kind and lane for independent of each other.
enum JobSearch {
    static let tables = """
        run AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(SELECT r.id FROM tenure.run_seen r)) AS u (id)
        ), way AS MATERIALIZED (
            SELECT \(wantsPending) AND ($3::text IS NULL OR (\(few(plain))) > \(small)
                       OR (\(few(laned))) > \(small))
                   OR \(wants("waiting")) AND (\(few(parked("waiting")))) > \(small)
                   OR \(wants("held")) AND (\(few(parked("held")))) > \(small) AS walks
        )
        """
    /// More of a sort are not read as a whole.
    private static let small = 10_000
    private static let pending = "ARRAY['scheduled', 'available', 'retryable']"
    private static let wantsPending = "(cardinality($1::text[]) = 0 OR $1 && \(pending))"
    /// The few that are due among many for later, or the other way round, are found by an index,
    /// whose order is by priority first.
    private static let plain = """
        j.queue = $3 AND j.lane IS NULL AND j.state IN ('scheduled', 'available', 'retryable')
        AND ($10::boolean IS NULL OR j.priority = ANY ('{0,1,2,3,4,5,6,7,8,9}')
             AND ($10 AND j.run_at <= statement_timestamp()
                  OR NOT $10 AND j.run_at > statement_timestamp()))
        """
    private static let laned = """
        j.queue = $3 AND j.lane IS NOT NULL AND j.state IN ('scheduled', 'available', 'retryable')
        """

    private static func wants(_ state: String) -> String {
        "(cardinality($1) = 0 OR '\(state)' = ANY ($1))"
    }

    private static func parked(_ state: String) -> String {
        """
        ($3 IS NULL OR j.queue = $3) AND j.state = '\(state)' AND j.state IN ('waiting', 'held')
        """
    }

    private static func few(_ condition: String) -> String {
        """
        SELECT count(*) FROM (SELECT FROM tenure.job j WHERE \(condition) LIMIT \(small + 1)) AS few
        """
    }

    /// - Parameters:
    ///   - columns: of `j`; a state before them.
    ///   - end: of each part.
    static func unfinished(_ columns: String, _ end: String) -> String {
        func all(_ condition: String) -> String {
            "(SELECT j.* FROM tenure.job j WHERE \(condition) OFFSET 0) AS j"
        }
        let state = """
            CASE WHEN j.id IN (SELECT r.id FROM run r) THEN 'running' ELSE j.state::text END
            """
        let walks = "(SELECT w.walks FROM way w)"
        let open = """
            NOT \(walks) AND $3 IS NOT NULL AND \(wantsPending)
               AND (cardinality($1) = 0 OR $1 @> \(pending) OR j.state::text = ANY ($1))
               AND j.id NOT IN (SELECT r.id FROM run r)
            """
        let parts = [
            (
                state, "tenure.job j",
                "\(walks) AND (cardinality($1) = 0 OR \(state) = ANY ($1))"
            ),
            ("j.state::text", all(plain), open), ("j.state::text", all(laned), open),
            ("'waiting'", all(parked("waiting")), "NOT \(walks) AND \(wants("waiting"))"),
            ("'held'", all(parked("held")), "NOT \(walks) AND \(wants("held"))"),
            (
                "'running'", all("j.id IN (SELECT r.id FROM run r)"),
                "NOT \(walks) AND \(wants("running"))"
            ),
        ]
        return parts.map { state, jobs, condition in
            """
            (SELECT \(state), \(columns) FROM \(jobs)
             WHERE \(condition) AND \(conditions("j", reason: "hold_reason")) \(end))
            """
        }.joined(separator: "\nUNION ALL\n")
    }

    /// - Parameters:
    ///   - columns: of `h`.
    ///   - end: of each part.
    static func finished(_ columns: String, _ end: String) -> String {
        let parts = [
            // Most were completed: by time, passing over few.
            """
            h.outcome IN ('completed', 'cancelled', 'superseded')
              AND (cardinality($1) = 0 OR 'completed' = ANY ($1))
            """,
            """
            h.outcome IN ('cancelled', 'superseded') AND $1 && ARRAY['cancelled', 'superseded']
              AND NOT 'completed' = ANY ($1)
            """,
            "h.outcome = 'discarded' AND (cardinality($1) = 0 OR 'discarded' = ANY ($1))",
        ]
        return parts.map { condition in
            """
            (SELECT \(columns) FROM tenure.job_history h
             WHERE $5 AND \(condition) AND (cardinality($1) = 0 OR h.outcome::text = ANY ($1))
               AND (NOT $8::boolean OR h.retried_as IS NULL)
               AND \(conditions("h", reason: "reason")) \(end))
            """
        }.joined(separator: "\nUNION ALL\n")
    }

    /// What a ``JobFilter`` binds, but for states.
    private static func conditions(_ job: String, reason: String) -> String {
        """
        ($2::text IS NULL OR \(job).kind = $2) AND ($3::text IS NULL OR \(job).queue = $3)
               AND ($4::text IS NULL OR \(job).key = $4)
               AND ($9::uuid IS NULL OR \(job).batch_id = $9)
               AND ($10::boolean IS NULL OR (\(job).run_at <= statement_timestamp()) = $10)
               AND ($6::interval IS NULL OR \(job).created_at < clock_timestamp() - $6)
               AND ($7::text IS NULL OR \(job).\(reason) ILIKE $7 OR EXISTS (
                   SELECT FROM tenure.attempt_error e
                   WHERE e.job_id = \(job).id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
        """
    }
}

/// The newest jobs first; ids are in the order of their making.
struct ListJobs: PostgresStatement {
    static let sql = """
        WITH \(JobSearch.tables), unfinished AS MATERIALIZED (
            SELECT i.id FROM (
                \(JobSearch.unfinished("j.id", newest("j")))
            ) AS i (state, id) ORDER BY i.id DESC LIMIT $12
        ), finished AS MATERIALIZED (
            \(JobSearch.finished(ended, newest("h")))
        )
        SELECT l.id, l.status, l.cancelling, l.kind, l.queue, l.key, l.generation, l.priority,
               l.attempt, l.max_attempts, l.run_at, l.created_at, l.claimed_at, l.finished_at,
               l.not_after, l.retried_as
        FROM (
            SELECT j.id, CASE WHEN j.state = 'running' AND NOT tenure.has_begun(
                       j.session_id, j.queue, j.fence) THEN 'claimed'
                        ELSE j.state::text END AS status,
                   j.ending_at IS NOT NULL AS cancelling, j.kind, j.queue, j.key, j.generation,
                   j.priority, j.attempt, j.max_attempts, j.run_at, j.created_at, j.claimed_at,
                   NULL::timestamptz AS finished_at, j.not_after, NULL::uuid AS retried_as
            FROM tenure.job_seen j WHERE j.id = ANY (ARRAY(SELECT u.id FROM unfinished u))
            UNION ALL SELECT f.* FROM finished f) AS l
        ORDER BY l.id DESC LIMIT $12
        """
    static let isPlannedForItsValues = true
    private static let ended = """
        h.id, h.outcome::text AS status, false AS cancelling, h.kind, h.queue, h.key,
                 h.generation, h.priority, h.attempt, h.max_attempts, h.run_at, h.created_at,
                 h.claimed_at, h.finished_at, NULL::timestamptz AS not_after, h.retried_as
        """
    private static func newest(_ job: String) -> String {
        """
        AND \(job).id < coalesce($11::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
               ORDER BY \(job).id DESC LIMIT $12
        """
    }
    let filter: JobFilter

    func bind(_ parameters: inout PostgresParameters) throws {
        try filter.bind(&parameters)
        try parameters.append(filter.before?.uuid)
        try parameters.append(JobLimits.rows(filter.limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobSummary {
        try summary(row, retriedAs: 15)
    }

    /// A running job whose handler has not begun has a status of its own in statements.
    private enum Unbegun: String { case claimed }

    /// - Parameter retriedAs: where that column stands, behind all others.
    static func summary(
        _ row: borrowing PostgresRow, retriedAs: Int
    ) throws -> JobSummary {
        let status = try row.decode(1, as: String.self)
        let isOnlyClaimed = Unbegun(rawValue: status) != nil
        return JobSummary(
            id: JobID(try row.decode(0, as: UUID.self)),
            status: isOnlyClaimed ? .running : try JobStatus(text: status),
            isOnlyClaimed: isOnlyClaimed, isCancelling: try row.decode(2),
            kind: JobKind(try row.decode(3, as: String.self)),
            queue: QueueName(try row.decode(4, as: String.self)), key: try row.decode(5),
            generation: try row.decode(6, as: Int64?.self).map { Generation($0) },
            priority: try row.decode(7), attempt: Int(try row.decode(8, as: Int32.self)),
            maxAttempts: Int(try row.decode(9, as: Int32.self)), runAt: try row.decode(10),
            createdAt: try row.decode(11), claimedAt: try row.decode(12),
            finishedAt: try row.decode(13), notAfter: try row.decode(14),
            retriedAs: try row.decode(retriedAs, as: UUID?.self).map { JobID($0) })
    }
}
