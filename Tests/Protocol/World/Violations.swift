/// What must hold when both transactions are over, whoever came first. Each check is a name and a
/// query for what breaks it.
enum Violations {
    static var sql: String {
        let all =
            jobs + keys + limits + sessions + batches + waits + afters + keyWaits + tags
            + claims
        var tables: Set<String> = []
        let queries = all.map { check in
            let name = check.name.replacing("'", with: "''")
            let query = "SELECT '\(name)'::text AS name, (\(check.detail))::text AS detail "
            return (query + check.from).replacing(/(FROM|JOIN) tenure\.([a-z_]+)\b(?! *\()/) {
                found in
                tables.insert(String(found.2))
                return "\(found.1) now_\(found.2)"
            }
        }
        // Each table is read once: among the dead rows of many resets that is most of the work.
        let now = tables.sorted().map { table in
            ", now_\(table) AS MATERIALIZED (SELECT * FROM tenure.\(table))"
        }
        return """
            CREATE FUNCTION probe.violations(said text[], enqueued uuid[], kept uuid[])
            RETURNS TABLE (name text, detail text) LANGUAGE plpgsql AS $$
            BEGIN
                RETURN QUERY
                WITH log AS MATERIALIZED (SELECT * FROM probe.log)\(now.joined())
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
                        + (SELECT count(*) FROM tenure.job_history h WHERE h.id = k.id))
                        AS p (places)
            WHERE p.places > 1 OR p.places = 0 AND NOT EXISTS (  -- it was forgotten
                SELECT FROM log l WHERE l.what = 'history' AND l.op = 'DELETE'
                    AND l.old ->> 'id' = k.id::text) AND NOT EXISTS (
                SELECT FROM log l WHERE l.what = 'job' AND l.op = 'DELETE'
                    AND l.old ->> 'id' = k.id::text AND l.old ->> 'queue' = 'forgets'
                    AND (l.old ->> 'state' = 'running' OR EXISTS (
                        SELECT FROM world.folded_run f WHERE f.job_id = k.id)))
            """),
        Check(
            "a given id is known as long as its job", "g.id::text",
            """
            FROM world.given_id g
            WHERE NOT EXISTS (SELECT FROM tenure.given_id n WHERE n.id = g.id)
              AND EXISTS (SELECT FROM tenure.job_history h WHERE h.id = g.job_id)
            """),
        Check(
            "a given id stands for one job", "g.id::text",
            """
            FROM world.given_id g
            JOIN tenure.given_id n ON n.id = g.id AND n.given_at = g.given_at
            WHERE EXISTS (SELECT FROM tenure.job j WHERE j.id = g.id)
            """),
        Check(
            "a finished job stands for a key that is known", "k.key",
            """
            FROM tenure.kept_key k WHERE NOT EXISTS (
                SELECT FROM tenure.subject s
                WHERE s.kind = k.kind AND s.key = k.key AND s.issued >= k.generation)
            """),
        Check(
            "a key for which a finished job stands has no new one that keeps", "k.key",
            """
            FROM world.kept_key k WHERE k.kept_until > clock_timestamp() AND EXISTS (
                SELECT FROM log l WHERE l.what = 'kept_key' AND l.new ->> 'key' = k.key)
            """),
        Check(
            "a finished job is run again once", "r.retry_of || ' as ' || count(*)",
            """
            FROM (SELECT j.retry_of FROM tenure.job j
                  UNION ALL SELECT h.retry_of FROM tenure.job_history h) AS r
            WHERE r.retry_of IS NOT NULL GROUP BY r.retry_of HAVING count(*) > 1
            """),
        Check(
            "a job is whole", "j.id || ' ' || j.state",
            """
            FROM tenure.job j WHERE (j.key IS NULL) <> (j.generation IS NULL)
                OR (j.state = 'running') <> (j.fence IS NOT NULL AND j.session_id IS NOT NULL)
            """),
        Check(
            "what runs is not edited", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'UPDATE'
              AND l.old -> 'payload' <> l.new -> 'payload'
              AND (l.old ->> 'state' = 'running' OR l.old ->> 'runs' = '0' AND EXISTS (
                  SELECT FROM world.folded_run f WHERE f.job_id = (l.old ->> 'id')::uuid
                    AND f.made = (l.old ->> 'created_at')::timestamptz))
            """),
        Check(
            "what runs is not forgotten", "l.old ->> 'id'",
            """
            FROM log l JOIN log h ON h.what = 'history' AND h.op = 'DELETE' AND h.xid = l.xid
                                 AND h.old ->> 'id' = l.old ->> 'id'
            WHERE l.what = 'job' AND l.op = 'DELETE' AND l.old ->> 'state' = 'running'
            """),
        Check(
            "what is forgotten has no letter", "j.id || ' of ' || j.parent_id",
            """
            FROM log h JOIN tenure.job j ON j.parent_id = (h.old ->> 'id')::uuid AND j.kind = 'l'
            WHERE h.what = 'history' AND h.op = 'DELETE'
              AND NOT EXISTS (SELECT FROM tenure.job_history p WHERE p.id = j.parent_id)
            """),
        Check(
            "nothing is kept of what is forgotten", "e.id::text",
            """
            FROM log h JOIN tenure.job_end e ON e.id = (h.old ->> 'id')::uuid
            WHERE h.what = 'history' AND h.op = 'DELETE'
              AND (e.result IS NOT NULL OR e.reason <> 'nothing is known of its end'
                   -- Which one it was cancelled for is no word of its own.
                   AND e.reason !~ (tenure.cause_named() || '$'))
              AND EXISTS (SELECT FROM tenure.action a WHERE a.verb = 'forget')
            """),
        Check(
            "no reason quotes what is forgotten", "p.id::text",
            """
            FROM log h JOIN tenure.job_history p
              ON p.reason ~ ('after: job ' || (h.old ->> 'id') || ' was [^:]*: ')
             AND p.reason NOT LIKE '%: nothing is known of its end'
            WHERE h.what = 'history' AND h.op = 'DELETE'
              AND EXISTS (SELECT FROM tenure.action a WHERE a.verb = 'forget')
            """),
        Check(
            "no run begins after its job expired", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.new ->> 'state' = 'running'
              AND l.old ->> 'state' <> 'running'
              AND (l.new ->> 'not_after')::timestamptz <= (l.new ->> 'claimed_at')::timestamptz
            """),
        Check(
            "no claim takes a payload that is too new for it", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.new ->> 'state' = 'running'
              AND l.old ->> 'state' <> 'running' AND l.new ->> 'session_id' = '4'
              AND l.new ->> 'payload_version' = '2'
            """),
        Check(
            "who is discarded has one letter", "h.id || ' has ' || c.letters",
            """
            FROM tenure.job_history h, LATERAL (
                SELECT count(*) AS letters, count(*) FILTER (WHERE l.id = h.letter_id) AS known
                FROM tenure.job l WHERE l.parent_id = h.id AND l.kind = 'l') AS c
            WHERE h.kind = 'k' AND h.reason IS DISTINCT FROM 'moved by hand'
              AND (c.letters, c.known) <> CASE
                WHEN h.outcome = 'discarded' AND NOT EXISTS (
                    SELECT FROM world.job_history w WHERE w.id = h.id)
                THEN (1::bigint, 1::bigint)
                ELSE (0::bigint, 0::bigint) END
            """),
        Check(
            "only what is late expires", "l.old ->> 'id'",
            """
            FROM log l JOIN tenure.job_history h ON h.id = (l.old ->> 'id')::uuid
            WHERE l.what = 'job' AND l.op = 'DELETE' AND starts_with(h.reason, 'expired: ')
              AND ((l.old ->> 'not_after')::timestamptz > clock_timestamp()
                   OR l.old ->> 'not_after' IS NULL)
            """),
        Check(
            "a death costs what had begun an attempt, and nothing else", "l.old ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'UPDATE'
              AND l.old ->> 'state' = 'running' AND l.new ->> 'state' <> 'running'
              AND l.old ->> 'session_id' = '3'
              AND (l.old ->> 'fence' = '107' OR l.new ->> 'refunds' <> l.old ->> 'refunds'
                   OR (l.new ->> 'attempt')::integer
                      <> (l.old ->> 'attempt')::integer - (l.old ->> 'fence' <> '3073')::integer)
            """),
        Check(
            "only a run completes", "l.old ->> 'id'",
            """
            FROM log l JOIN tenure.job_history h
                 ON h.id = (l.old ->> 'id')::uuid AND h.outcome = 'completed'
            WHERE l.what = 'job' AND l.op = 'DELETE'
              AND (l.old ->> 'state' <> 'running' OR l.old ->> 'ending_at' IS NOT NULL)
              AND NOT (l.old ->> 'runs' = '0' AND EXISTS (
                  SELECT FROM world.folded_run f WHERE f.job_id = h.id AND f.fence = h.fence))
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
            "a stale ending leaves nothing", "e.job_id",
            """
            FROM (SELECT a.job_id, a.message FROM tenure.attempt_error a
                  UNION ALL SELECT h.id, h.reason FROM tenure.job_history h) AS e
            WHERE e.message = 'stale'
            """),
        Check(
            "an error is told once", "e.job_id || ' ' || e.fence || ' has ' || e.count",
            """
            FROM (SELECT k.job_id, k.fence, count(a.job_id)
                  FROM (SELECT w.job_id, w.fence FROM world.attempt_error w
                        UNION SELECT a.job_id, a.fence FROM tenure.attempt_error a) AS k
                  LEFT JOIN tenure.attempt_error a ON a.job_id = k.job_id AND a.fence = k.fence
                  GROUP BY k.job_id, k.fence) AS e
            WHERE e.count <> 1 AND NOT (e.count = 0 AND EXISTS (  -- it was forgotten
                SELECT FROM log l WHERE l.what = 'history' AND l.op = 'DELETE'
                  AND l.old ->> 'id' = e.job_id::text))
            """),
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
                 LATERAL (SELECT (l.old ->> 'attempt')::int AS was,
                 (l.old ->> 'refunds')::int AS free,
                                 coalesce((l.new ->> 'attempt')::int, h.attempt) AS now,
                                 (l.new ->> 'refunds')::int AS freed) AS a
            WHERE l.what = 'job' AND l.old ->> 'state' = 'running' AND NOT coalesce(
                CASE WHEN l.op = 'DELETE' AND starts_with(h.reason, 'expired: ') THEN
                          a.now BETWEEN a.was - 1 AND a.was
                     WHEN l.op = 'DELETE' THEN a.now = a.was - CASE
                          WHEN h.outcome IN ('cancelled', 'superseded') THEN 1 ELSE 0 END
                          OR h.id IS NULL
                     WHEN l.new ->> 'state' = 'running' THEN a.now = a.was
                     WHEN l.new ->> 'state' = 'retryable' THEN a.now = a.was AND a.freed = a.free
                     WHEN l.new ->> 'state' = 'held' THEN a.now = a.was - 1
                     WHEN l.new ->> 'state' = 'waiting' THEN a.now = a.was - 1
                          AND a.freed = a.free
                     WHEN l.new ->> 'state' = 'scheduled' THEN a.now = a.was - 1
                          AND a.freed = a.free + 1
                     ELSE a.was - a.now = a.freed - a.free
                          -- What had not begun costs nothing, and is no refund.
                          OR l.new ->> 'state' = 'available' AND a.now = a.was - 1
                          AND a.freed = a.free END, true)
               OR l.what = 'job' AND l.new ->> 'state' = 'running'
                  AND l.old ->> 'state' <> 'running'
                  AND (a.now <> a.was + 1 OR (l.new ->> 'runs') = (l.old ->> 'runs'))
            """),
    ]
}
