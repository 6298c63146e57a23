/// What must hold when both transactions are over, whoever came first. Each check is a name and a
/// query for what breaks it.
enum Violations {
    static var sql: String {
        let queries = (jobs + keys + limits + sessions).map { check in
            "SELECT '\(check.name)'::text AS name, (\(check.detail))::text AS detail \(check.from)"
        }
        return """
            CREATE FUNCTION probe.violations(said text[], enqueued uuid[])
            RETURNS TABLE (name text, detail text) LANGUAGE plpgsql AS $$
            BEGIN
                RETURN QUERY
                WITH log AS MATERIALIZED (SELECT * FROM probe.log)
            \(queries.joined(separator: "\nUNION ALL\n"));
            END $$;
            """
    }

    struct Check {
        let name: String
        let detail: String
        let from: String

        init(_ name: String, _ detail: String, _ from: String) {
            self.name = name
            self.detail = detail
            self.from = from
        }
    }

    private static let jobs = [
        Check(
            "each job is in one place", "k.id || ' is in ' || p.places",
            """
            FROM (SELECT w.id FROM world.job w UNION SELECT w.id FROM world.job_history w
                  UNION SELECT (l.new ->> 'id')::uuid FROM log l
                        WHERE l.what = 'job' AND l.op = 'INSERT'
                  UNION SELECT unnest(enqueued)) AS k,
                 LATERAL (SELECT (SELECT count(*) FROM tenure.job j WHERE j.id = k.id)
                        + (SELECT count(*) FROM tenure.job_history h WHERE h.id = k.id)) AS p (places)
            WHERE p.places > 1 OR p.places = 0 AND NOT EXISTS (
                SELECT FROM log l WHERE l.what = 'job' AND l.op = 'DELETE'
                    AND l.old ->> 'id' = k.id::text AND l.old ->> 'queue' = 'forgets'
                    AND l.old ->> 'state' = 'running')
            """),
        Check(
            "only a run completes", "l.old ->> 'id'",
            """
            FROM log l JOIN tenure.job_history h
                 ON h.id = (l.old ->> 'id')::uuid AND h.outcome = 'completed'
            WHERE l.what = 'job' AND l.op = 'DELETE'
              AND (l.old ->> 'state' <> 'running' OR l.old ->> 'ending_at' IS NOT NULL)
            """),
        Check(
            "a write is there if and only if its commit said so",
            "coalesce(e.marker, '(none)') || ' wrote, ' || coalesce(s.marker, '(none)') || ' said'",
            """
            FROM app.effect e FULL JOIN unnest(said) AS s (marker) ON s.marker = e.marker
            WHERE e.marker IS NULL OR s.marker IS NULL
            """),
        Check(
            "a job has one write", "e.job || ' has ' || count(*)",
            "FROM app.effect e WHERE e.marker LIKE '%commit%' GROUP BY e.job HAVING count(*) > 1"),
        Check(
            "fences only grow", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.new ->> 'fence' IS NOT NULL
              AND l.new ->> 'fence' IS DISTINCT FROM l.old ->> 'fence'
              AND (l.old ->> 'fence' IS NOT NULL OR EXISTS (
                   SELECT FROM log p WHERE p.what = 'job' AND p.seq < l.seq
                     AND p.new ->> 'id' = l.new ->> 'id'
                     AND (p.new ->> 'fence')::bigint >= (l.new ->> 'fence')::bigint))
            """),
        Check(
            "attempts add up",
            "(l.old ->> 'id') || ' ' || (l.old ->> 'state') || ' → '"
                + " || coalesce(l.new ->> 'state', h.outcome::text)",
            """
            FROM log l LEFT JOIN tenure.job_history h
                 ON l.op = 'DELETE' AND h.id = (l.old ->> 'id')::uuid,
                 LATERAL (SELECT (l.old ->> 'attempt')::int AS was, (l.old ->> 'refunds')::int AS free,
                                 coalesce((l.new ->> 'attempt')::int, h.attempt) AS now,
                                 (l.new ->> 'refunds')::int AS freed) AS a
            WHERE l.what = 'job' AND l.old ->> 'state' = 'running' AND NOT coalesce(
                CASE WHEN l.op = 'DELETE' THEN a.now = a.was - CASE
                          WHEN h.outcome IN ('cancelled', 'superseded') THEN 1 ELSE 0 END
                          OR h.id IS NULL
                     WHEN l.new ->> 'state' = 'running' THEN a.now = a.was
                     WHEN l.new ->> 'state' = 'retryable' THEN a.now = a.was AND a.freed = a.free
                     WHEN l.new ->> 'state' = 'held' THEN a.now = a.was - 1
                     WHEN l.new ->> 'state' = 'scheduled' THEN a.now = a.was - 1
                          AND a.freed = a.free + 1
                     ELSE a.was - a.now = a.freed - a.free END, true)
               OR l.what = 'job' AND l.new ->> 'state' = 'running'
                  AND l.old ->> 'state' <> 'running'
                  AND (a.now <> a.was + 1 OR (l.new ->> 'runs') = (l.old ->> 'runs'))
            """),
    ]

    private static let keys = [
        Check(
            "no write is older than the floor", "c.key || ' generation ' || c.generation",
            """
            FROM (SELECT l.seq, l.new ->> 'key' AS key, (l.new ->> 'generation')::bigint AS generation
                  FROM log l WHERE l.op = 'INSERT' AND l.new ->> 'key' IS NOT NULL
                    AND (l.what = 'effect'
                         OR l.what = 'history' AND l.new ->> 'outcome' = 'completed')) AS c
            WHERE EXISTS (SELECT FROM log f WHERE f.what = 'subject' AND f.seq < c.seq
                    AND f.new ->> 'key' = c.key AND (f.new ->> 'floor')::bigint > c.generation)
               OR EXISTS (SELECT FROM world.subject w
                          WHERE w.key = c.key AND w.floor > c.generation)
            """),
        Check(
            "results of a key go forward", "c.new ->> 'key'",
            """
            FROM log c JOIN log d ON d.what = 'history' AND d.seq > c.seq
                 AND d.new ->> 'key' = c.new ->> 'key' AND d.new ->> 'outcome' = 'completed'
            WHERE c.what = 'history' AND c.new ->> 'outcome' = 'completed'
              AND (d.new ->> 'generation')::bigint <= (c.new ->> 'generation')::bigint
            """),
        Check(
            "a subject only grows", "l.old ->> 'key'",
            """
            FROM log l WHERE l.what = 'subject' AND l.op = 'UPDATE'
              AND ((l.new ->> 'issued')::bigint < (l.old ->> 'issued')::bigint
                OR (l.new ->> 'floor')::bigint < (l.old ->> 'floor')::bigint
                OR (l.new ->> 'committed')::bigint < (l.old ->> 'committed')::bigint)
            """),
        Check(
            "a key has one pending job", "j.key || ' has ' || count(*)",
            """
            FROM tenure.job j WHERE j.key IS NOT NULL AND j.state <> 'running'
            GROUP BY j.key HAVING count(*) > 1
            """),
        Check(
            "no pending job is below its floor", "j.key || ' generation ' || j.generation",
            """
            FROM tenure.job j JOIN tenure.subject s ON s.kind = j.kind AND s.key = j.key
            WHERE j.state <> 'running' AND j.generation < s.floor
            """),
        Check(
            "a successor waits only for a run", "j.key || ' generation ' || j.generation",
            """
            FROM tenure.job j WHERE j.state = 'waiting' AND NOT EXISTS (
                SELECT FROM tenure.job r WHERE r.key = j.key AND r.state = 'running')
            """),
        Check(
            "a successor does not start beside a run it waited for", "n.key",
            """
            FROM tenure.job n JOIN tenure.job r ON r.key = n.key AND r.state = 'running'
                 AND r.generation < n.generation
            JOIN tenure.subject s ON s.key = n.key
            WHERE n.state <> 'waiting' AND s.floor <= r.generation AND r.ending_at IS NULL
            """),
        Check(
            "a subject covers its jobs", "j.key || ' generation ' || j.generation",
            """
            FROM tenure.job j LEFT JOIN tenure.subject s ON s.kind = j.kind AND s.key = j.key
            WHERE j.key IS NOT NULL AND (s.issued IS NULL OR s.issued < j.generation)
            """),
    ]
}
