/// What a claim row speaks for: a run like any other, though its job's own row says nothing of it.
extension Violations {
    static let claims = [
        Check(
            "a job runs once at a time", "d.job_id || ' as ' || d.fences",
            """
            FROM (SELECT f.job_id, string_agg(f.fence::text, ' and ') AS fences
                  FROM tenure.folded_run f JOIN tenure.job j
                    ON j.id = f.job_id AND j.created_at = f.made AND j.runs = 0
                  GROUP BY f.job_id HAVING count(*) > 1) AS d
            """),
        Check(
            "a run that a claim row speaks for is written as itself",
            "(l.new ->> 'id') || ' as ' || (l.new ->> 'fence')",
            """
            FROM log l JOIN (SELECT w.job_id, w.made, w.fence FROM world.folded_run w
                             UNION SELECT t.job_id, t.made, t.fence FROM tenure.folded_run t) AS f
              ON f.job_id = (l.new ->> 'id')::uuid
             AND f.made = (l.new ->> 'created_at')::timestamptz
            WHERE l.what = 'job' AND l.op = 'UPDATE' AND l.old ->> 'runs' = '0'
              AND l.new ->> 'state' = 'running' AND l.new ->> 'fence' <> f.fence::text
            """),
        Check(
            "what a claim row speaks for ends by its fence", "l.old ->> 'id'",
            """
            FROM log l JOIN (SELECT w.job_id, w.made, w.fence, w.queue FROM world.folded_run w
                             UNION SELECT t.job_id, t.made, t.fence, t.queue
                             FROM tenure.folded_run t) AS f
              ON f.job_id = (l.old ->> 'id')::uuid
             AND f.made = (l.old ->> 'created_at')::timestamptz
            LEFT JOIN tenure.job_history h ON h.id = f.job_id
            WHERE l.what = 'job' AND l.op = 'DELETE' AND l.old ->> 'runs' = '0'
              AND f.queue <> 'forgets' AND (h.fence IS DISTINCT FROM f.fence OR h.attempt <> 1
                   OR h.runs <> 1 OR h.claimed_at IS NULL)
            """),
        Check(
            "a claim row stays while it speaks for somebody", "f.number || ' for ' || f.job_id",
            """
            FROM world.folded_run f JOIN tenure.job j
              ON j.id = f.job_id AND j.created_at = f.made AND j.runs = 0
            WHERE NOT EXISTS (SELECT FROM tenure.claim_row c WHERE c.number = f.number)
            """),
        Check(
            "who is named by a claim row is not made anew", "l.new ->> 'id'",
            """
            FROM log l JOIN world.folded_run f
              ON f.job_id = (l.new ->> 'id')::uuid
             AND f.made = (l.old ->> 'created_at')::timestamptz
            WHERE l.what = 'job' AND l.op = 'UPDATE'
              AND l.new ->> 'created_at' <> l.old ->> 'created_at'
            """),
        Check(
            "what a claim row speaks for gets no other priority", "l.new ->> 'id'",
            """
            FROM log l JOIN (SELECT w.job_id, w.made, w.claimed_at FROM world.folded_run w
                             UNION SELECT t.job_id, t.made, t.claimed_at
                             FROM tenure.folded_run t) AS f
              ON f.job_id = (l.new ->> 'id')::uuid
             AND f.made = (l.new ->> 'created_at')::timestamptz
            WHERE l.what = 'job' AND l.op = 'UPDATE' AND l.old ->> 'runs' = '0'
              AND l.old ->> 'priority' <> l.new ->> 'priority'
              AND (l.new ->> 'run_at')::timestamptz > f.claimed_at
            """),
        Check(
            "a session is done with when nothing runs in its name", "s.id::text",
            """
            FROM tenure.session s JOIN tenure.run_seen r ON r.session_id = s.id
            WHERE s.reclaimed_at IS NOT NULL
            """),
        Check(
            "a limit counts all that run", "r.queue || ' ' || r.fence",
            """
            FROM tenure.queue q JOIN tenure.run_seen r ON r.queue = q.name
            WHERE q.max_running IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.queue_holders h
                WHERE h.queue = q.name AND r.fence = ANY (h.running_fences))
            """),
    ]
}
