import TenureFoundation
import TenurePostgres

/// Where jobs that match a filter are looked for. What claim rows speak for runs, whatever its own
/// row says.
///
/// A walk from the newest job on ends where enough have matched; a queue of few jobs, or a state
/// that few are in, is read as a whole by its index instead. `OFFSET 0` keeps the planner from
/// walking there all the same: it takes state, queue, kind and lane for independent of each other.
/// A key's jobs are found kind by kind, in the index that begins with those; in history by the
/// filters of its pages.
enum JobSearch {
    /// They want WITH RECURSIVE.
    static let tables = """
        run AS MATERIALIZED (
            SELECT u.id FROM unnest(ARRAY(SELECT r.id FROM tenure.run_seen r)) AS u (id)
        ), way AS MATERIALIZED (
            SELECT \(wantsPending) AND ($3::text IS NULL OR (\(few(plain))) > \(small)
                       OR (\(few(laned))) > \(small))
                   OR \(wants("waiting")) AND (\(few(parked("waiting")))) > \(small)
                   OR \(wants("held")) AND (\(few(parked("held")))) > \(small) AS walks
        ), keyed (kind) AS (
            SELECT coalesce($2::text, '') COLLATE "C" WHERE $4::text IS NOT NULL
            UNION ALL
            SELECT (SELECT j.kind FROM tenure.job j
                    WHERE j.kind > k.kind AND j.key IS NOT NULL ORDER BY j.kind LIMIT 1)
            FROM keyed k WHERE $2 IS NULL AND k.kind IS NOT NULL
        ), rarest AS MATERIALIZED (
            -- In the index, and not through the table, however few or many the planner expects.
            SELECT t.tag FROM unnest($11::text[]) AS t (tag)
            ORDER BY (SELECT count(*) FROM (
                SELECT FROM tenure.job_tag g WHERE g.tag >= t.tag AND g.tag <= t.tag
                ORDER BY g.tag LIMIT 1000) AS few) LIMIT 1
        )
        """
    /// More of a sort are not read as a whole.
    static let small = 10_000
    private static let pending = "ARRAY['scheduled', 'available', 'retryable']"
    private static let wantsPending = "(cardinality($1::text[]) = 0 OR $1 && \(pending))"
    /// The few that are due among many for later, or the other way round, are found by an index,
    /// whose order is by priority first.
    static let plain = """
        j.queue = $3 AND j.lane IS NULL AND j.state IN ('scheduled', 'available', 'retryable')
        AND ($10::boolean IS NULL OR j.priority = ANY ('{0,1,2,3,4,5,6,7,8,9}')
             AND ($10 AND j.run_at <= statement_timestamp()
                  OR NOT $10 AND j.run_at > statement_timestamp()))
        """
    static let laned = """
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

    /// Those that wait for their turn in a queue of few.
    static let open = """
        $4 IS NULL AND $11 IS NULL AND NOT (SELECT w.walks FROM way w) AND $3 IS NOT NULL
               AND \(wantsPending)
               AND j.id NOT IN (SELECT r.id FROM run r)
        """
    static let isOpenWanted =
        "(cardinality($1) = 0 OR $1 @> \(pending) OR j.state::text = ANY ($1))"

    /// - Parameters:
    ///   - columns: of `j`; a state before them.
    ///   - end: of each part.
    ///   - tagEnd: of the part that goes by a tag, from `g` on.
    ///   - isFound: whether those that wait in a queue of few have been found otherwise.
    static func unfinished(
        _ columns: String, _ end: String, _ tagEnd: String = "", unless isFound: String = "false"
    ) -> String {
        func all(_ condition: String) -> String {
            "(SELECT j.* FROM tenure.job j WHERE \(condition) OFFSET 0) AS j"
        }
        let state = """
            CASE WHEN j.id IN (SELECT r.id FROM run r) THEN 'running' ELSE j.state::text END
            """
        let isWanted = "(cardinality($1) = 0 OR \(state) = ANY ($1))"
        let walks = "$4 IS NULL AND $11 IS NULL AND (SELECT w.walks FROM way w)"
        let isFew = "$4 IS NULL AND $11 IS NULL AND NOT (SELECT w.walks FROM way w)"
        let ofKey = """
            keyed k CROSS JOIN LATERAL (
                SELECT j.* FROM tenure.job j WHERE j.kind = k.kind AND j.key = $4 OFFSET 0) AS j
            """
        let open = "\(open) AND \(isOpenWanted) AND NOT \(isFound)"
        let parts = [
            (state, "tenure.job j", "\(walks) AND \(isWanted)"),
            (state, ofKey, "$11 IS NULL AND \(isWanted)"),
            ("j.state::text", all(plain), open), ("j.state::text", all(laned), open),
            ("'waiting'", all(parked("waiting")), "\(isFew) AND \(wants("waiting"))"),
            ("'held'", all(parked("held")), "\(isFew) AND \(wants("held"))"),
            (
                "'running'", all("j.id IN (SELECT r.id FROM run r)"),
                "\(isFew) AND \(wants("running"))"
            ),
        ]
        return parts.map { state, jobs, condition in
            """
            (SELECT \(state), \(columns) FROM \(jobs)
             WHERE \(condition) AND \(conditions("j", reason: "hold_reason")) \(end))
            """
        }.joined(separator: "\nUNION ALL\n")
            + """

            UNION ALL
            (SELECT \(state), \(columns) FROM \(tagged("tenure.job")) AS j
             WHERE \(hasTag) AND \(isWanted)
               AND \(conditions("j", reason: "hold_reason")) \(tagEnd))
            """
    }

    /// Those of a tag, in the order in which lists show them.
    private static func tagged(_ table: String) -> String {
        """
        tenure.job_tag g CROSS JOIN LATERAL (
            SELECT i.* FROM \(table) i WHERE i.id = g.job_id LIMIT 1)
        """
    }

    /// As a range: with an equation the planner knows that the order is one by ids alone, and walks
    /// through all tags in that order.
    private static let hasTag = """
        g.tag >= (SELECT r.tag FROM rarest r) AND g.tag <= (SELECT r.tag FROM rarest r)
        """

    /// - Parameters:
    ///   - columns: of `h`.
    ///   - end: of each part.
    ///   - tagEnd: of the part that goes by a tag, from `g` on.
    static func finished(_ columns: String, _ end: String, _ tagEnd: String = "") -> String {
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
        let isWanted = """
            (cardinality($1) = 0 OR h.outcome::text = ANY ($1))
               AND (NOT $8::boolean OR h.retried_as IS NULL)
               AND \(conditions("h", reason: "reason"))
            """
        return parts.map { condition in
            """
            (SELECT \(columns) FROM tenure.job_history h
             WHERE $5 AND $4 IS NULL AND $11 IS NULL AND \(condition) AND \(isWanted) \(end))
            """
        }.joined(separator: "\nUNION ALL\n")
            + """

            UNION ALL
            (SELECT \(columns) FROM tenure.past_of_key($2, $4) AS h
             WHERE $5 AND $4 IS NOT NULL AND $11 IS NULL AND \(isWanted) \(end))
            UNION ALL
            (SELECT \(columns) FROM \(tagged("tenure.job_history")) AS h
             WHERE $5 AND \(hasTag) AND \(isWanted) \(tagEnd))
            """
    }

    /// What a ``JobFilter`` binds, but for states.
    static func conditions(_ job: String, reason: String) -> String {
        """
        ($2::text IS NULL OR \(job).kind = $2) AND ($3::text IS NULL OR \(job).queue = $3)
               AND ($4::text IS NULL OR \(job).key = $4)
               AND ($9::uuid IS NULL OR \(job).batch_id = $9)
               AND ($10::boolean IS NULL OR (\(job).run_at <= statement_timestamp()) = $10)
               AND ($6::interval IS NULL OR \(job).created_at < clock_timestamp() - $6)
               AND ($7::text IS NULL OR \(job).\(reason) ILIKE $7 OR EXISTS (
                   SELECT FROM tenure.attempt_error e
                   WHERE e.job_id = \(job).id AND (e.code ILIKE $7 OR e.message ILIKE $7)))
               AND ($11 IS NULL OR NOT EXISTS (
                   SELECT FROM unnest($11) AS t (tag) WHERE NOT EXISTS (
                       SELECT FROM tenure.job_tag g
                       WHERE g.tag = t.tag AND g.job_id = \(job).id)))
               AND ($12::jsonb IS NULL OR \(job).payload @> $12)
        """
    }
}

/// The newest jobs first; ids are in the order of their making.
///
/// Of a queue of few jobs the newest are tried first, by their ids, which the index has: most often
/// there are enough among them, and none of the others' rows is read.
struct ListJobs: PostgresStatement {
    static let sql = """
        WITH RECURSIVE \(JobSearch.tables), candidate AS MATERIALIZED (
            SELECT c.id FROM (
                SELECT j.id FROM tenure.job j WHERE \(JobSearch.plain) AND \(JobSearch.open)
                UNION ALL
                SELECT j.id FROM tenure.job j WHERE \(JobSearch.laned) AND \(JobSearch.open)
            ) AS c WHERE c.id < \(bound) ORDER BY c.id DESC LIMIT \(tried)
        ), newest AS MATERIALIZED (
            -- In the candidates' order, which ends where there are enough.
            SELECT j.state::text, \(columns) FROM candidate c CROSS JOIN LATERAL (
                SELECT j.* FROM tenure.job j WHERE j.id = c.id OFFSET 0) AS j
            WHERE \(JobSearch.isOpenWanted)
              AND \(JobSearch.conditions("j", reason: "hold_reason")) LIMIT $14
        ), trial AS MATERIALIZED (
            SELECT (SELECT count(*) FROM newest) >= $14
                   OR (SELECT count(*) FROM candidate) < \(tried) AS suffices
        ), unfinished AS MATERIALIZED (
            SELECT i.* FROM (
                \(JobSearch.unfinished(
                    columns, newest("j"), newestOfTag, unless: "(SELECT t.suffices FROM trial t)"))
                UNION ALL
                SELECT n.* FROM newest n WHERE (SELECT t.suffices FROM trial t)
            ) AS i (state, \(columns.replacing("j.", with: "")))
            ORDER BY i.id DESC LIMIT $14
        ), folded AS MATERIALIZED (
            -- Looked through once, however many are shown.
            SELECT f.* FROM tenure.folded_run f
            WHERE (f.job_id IN (SELECT u.id FROM unfinished u
                                WHERE u.state = 'running' AND u.fence IS NULL)) IS TRUE
        ), finished AS MATERIALIZED (
            \(JobSearch.finished(ended, newest("h"), newestOfTag))
        )
        SELECT l.id, l.status, l.cancelling, l.kind, l.queue, l.key, l.generation, l.priority,
               l.attempt, l.max_attempts, l.run_at, l.created_at, l.claimed_at, l.finished_at,
               l.not_after, l.retried_as
        FROM (
            SELECT u.id, CASE WHEN u.state = 'running' AND NOT tenure.has_begun(
                       coalesce(f.session_id, u.session_id), u.queue, coalesce(f.fence, u.fence))
                        THEN 'claimed' ELSE u.state END AS status,
                   u.ending_at IS NOT NULL AS cancelling, u.kind, u.queue, u.key, u.generation,
                   u.priority, u.attempt + (f.fence IS NOT NULL)::integer AS attempt,
                   u.max_attempts, u.run_at, u.created_at,
                   coalesce(f.claimed_at, u.claimed_at) AS claimed_at,
                   NULL::timestamptz AS finished_at, u.not_after, NULL::uuid AS retried_as
            FROM unfinished u LEFT JOIN folded f
              ON f.job_id = u.id AND f.made = u.created_at AND u.runs = 0 AND u.fence IS NULL
            UNION ALL SELECT f.* FROM finished f) AS l
        ORDER BY l.id DESC LIMIT $14
        """
    private static let bound = "coalesce($13::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')"
    private static let tried = "3 * $14::bigint"
    /// What `job_seen` makes of these is made of those alone that are shown.
    private static let columns = """
        j.id, j.ending_at, j.kind, j.queue, j.key, j.generation, j.priority, j.attempt,
                   j.max_attempts, j.run_at, j.created_at, j.claimed_at, j.not_after, j.session_id,
                   j.fence, j.runs
        """
    static let isPlannedForItsValues = true
    private static let ended = """
        h.id, h.outcome::text AS status, false AS cancelling, h.kind, h.queue, h.key,
                 h.generation, h.priority, h.attempt, h.max_attempts, h.run_at, h.created_at,
                 h.claimed_at, h.finished_at, NULL::timestamptz AS not_after, h.retried_as
        """
    private static func newest(_ job: String) -> String {
        """
        AND \(job).id < \(bound)
               ORDER BY \(job).id DESC LIMIT $14
        """
    }
    private static let newestOfTag = """
        AND (g.tag, g.job_id) < ((SELECT r.tag FROM rarest r), \(bound))
               ORDER BY g.tag DESC, g.job_id DESC LIMIT $14
        """
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
