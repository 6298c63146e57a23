extension Violations {
    static let limits = [
        Check(
            "a lane keeps its limit", "l.name || ' runs ' || r.count",
            """
            FROM tenure.lane l, LATERAL (
                SELECT count(*) FROM tenure.job j
                WHERE j.queue = l.queue AND j.lane = l.name AND j.state = 'running') AS r
            WHERE r.count > l.max_running
            """),
        Check(
            "every job has its lane", "j.id || ' in ' || j.lane",
            """
            FROM tenure.job j WHERE j.lane IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.lane l JOIN tenure.lane_holders h
                  ON h.queue = l.queue AND h.lane = l.name
                WHERE l.queue = j.queue AND l.name = j.lane)
            """),
        Check(
            "no lane sleeps through its jobs", "j.id || ' in ' || j.lane",
            """
            FROM tenure.job j CROSS JOIN LATERAL (
                SELECT h.turn_at FROM tenure.lane_holders h
                WHERE h.queue = j.queue AND h.lane = j.lane ORDER BY h.n DESC LIMIT 1) AS h
            WHERE j.state IN ('scheduled', 'available', 'retryable')
              -- One in strict order may rest for a second.
              AND h.turn_at - CASE WHEN j.queue = 'o' THEN interval '1 s' ELSE '0' END > greatest(
                  j.run_at, clock_timestamp(), (SELECT max(o.until) FROM tenure.lane_hold o
                                                WHERE o.queue = j.queue AND o.lane = j.lane))
              AND NOT EXISTS (SELECT FROM tenure.lane_call c
                              WHERE c.queue = j.queue AND c.lane = j.lane
                                AND c.at <= greatest(j.run_at, clock_timestamp()))
            """),
        Check(
            "a lane has one row of holders", "h.lane || ' has ' || h.count",
            """
            FROM (SELECT h.lane, count(*) FROM tenure.lane_holders h GROUP BY h.queue, h.lane) AS h
            WHERE h.count > 1
            """),
        Check(
            "in strict order nobody begins beside one who has begun", "l.name || ': ' || r.ids",
            """
            FROM tenure.lane l, LATERAL (
                SELECT count(*), string_agg(j.id::text, ' and ') AS ids FROM tenure.job j
                WHERE j.queue = l.queue AND j.lane = l.name AND j.runs > 0) AS r
            WHERE l.is_strict AND r.count > 1
            """),
        Check(
            "in strict order nobody is passed over", "(c.new ->> 'id')",
            """
            FROM log c JOIN tenure.job j ON j.queue = 'o' AND j.lane = c.new ->> 'lane'
              AND j.runs = 0 AND j.run_at < (c.new ->> 'run_at')::timestamptz
            WHERE c.what = 'job' AND c.new ->> 'queue' = 'o' AND c.old ->> 'runs' = '0'
              AND c.new ->> 'runs' = '1'
            """),
        Check(
            "a queue keeps its rate", "r.count::text",
            """
            FROM (SELECT count(*) FROM tenure.run_seen r WHERE r.queue = 'paced') AS r
            WHERE r.count > 1
            """),
        Check(
            "a lane on hold is not claimed from", "c.new ->> 'id'",
            """
            FROM log c WHERE c.what = 'job' AND c.new ->> 'lane' = 'on hold'
              AND c.new ->> 'state' = 'running'
              AND NOT EXISTS (SELECT FROM tenure.lane_call WHERE lane = 'on hold')
              AND EXISTS (SELECT FROM tenure.lane_hold WHERE lane = 'on hold')
            """),
        // A limit may be set below what runs; then nothing more is claimed.
        Check(
            "a queue keeps its limit", "q.name || ' runs ' || r.count",
            """
            FROM tenure.queue q, LATERAL (
                SELECT count(*) FROM tenure.job j
                WHERE j.queue = q.name AND j.state = 'running') AS r
            WHERE r.count > q.max_running AND EXISTS (
                SELECT FROM log c WHERE c.what = 'job' AND c.new ->> 'queue' = q.name
                  AND c.new ->> 'fence' IS DISTINCT FROM c.old ->> 'fence'
                  AND c.new ->> 'fence' NOT IN (
                      SELECT w.fence::text FROM world.folded_run w
                      UNION ALL SELECT t.fence::text FROM tenure.folded_run t)
                  AND c.new ->> 'state' = 'running' AND c.seq > ALL (
                      SELECT l.seq FROM log l WHERE l.what = 'queue' AND l.new ->> 'name' = q.name
                        AND l.new ->> 'max_running' IS DISTINCT FROM l.old ->> 'max_running'))
            """),
        Check(
            "a limit knows its holders", "j.id",
            """
            FROM tenure.job j WHERE j.state = 'running'
              AND (j.lane IS NOT NULL AND NOT EXISTS (
                      SELECT FROM tenure.lane_holders h WHERE h.queue = j.queue
                        AND h.lane = j.lane AND j.id = ANY (h.running_ids))
                OR EXISTS (SELECT FROM tenure.queue q
                           WHERE q.name = j.queue AND q.max_running IS NOT NULL)
                   AND NOT EXISTS (
                      SELECT FROM tenure.queue_holders h
                      WHERE h.queue = j.queue AND j.fence = ANY (h.running_fences)))
            """),
        Check(
            "a schedule fires once a tick", "s.name || ' fired ' || s.fired",
            "FROM tenure.schedule s WHERE s.fired > 1"),
    ]

    static let sessions = [
        Check(
            "a dead session claims nothing", "'session ' || (c.new ->> 'session_id')",
            """
            FROM log c WHERE c.what = 'job' AND c.new ->> 'session_id' IS NOT NULL
              AND c.new ->> 'fence' IS DISTINCT FROM c.old ->> 'fence'
              -- What was claimed before, and is written now.
              AND c.new ->> 'fence' NOT IN (
                  SELECT w.fence::text FROM world.folded_run w
                  UNION ALL SELECT t.fence::text FROM tenure.folded_run t)
              AND (EXISTS (SELECT FROM log d WHERE d.what = 'session' AND d.seq < c.seq
                             AND d.new ->> 'id' = c.new ->> 'session_id'
                             AND d.new ->> 'ended_at' IS NOT NULL)
                OR EXISTS (SELECT FROM world.session w
                           WHERE w.id::text = c.new ->> 'session_id' AND w.ended_at IS NOT NULL))
            """),
        Check(
            "a reclaimed session has no jobs", "'session ' || s.id",
            """
            FROM tenure.session s JOIN tenure.job j ON j.session_id = s.id
            WHERE s.reclaimed_at IS NOT NULL
            """),
        Check(
            "only a silent session is declared dead", "'session ' || (l.new ->> 'id')",
            """
            FROM log l WHERE l.what = 'session' AND l.op = 'UPDATE'
              AND (l.new ->> 'died')::boolean AND l.old ->> 'ended_at' IS NULL
              AND l.new ->> 'beat' <> '7'
            """),
        Check(
            "a dead session does not beat", "'session ' || (l.new ->> 'id')",
            """
            FROM log l WHERE l.what = 'session' AND l.old ->> 'ended_at' IS NOT NULL
              AND (l.new ->> 'beat' <> l.old ->> 'beat'
                OR l.new ->> 'ended_at' IS DISTINCT FROM l.old ->> 'ended_at')
            """),
        Check(
            "a leader follows a dead one", "l.new ->> 'session'",
            """
            FROM log l WHERE l.what = 'leader' AND l.op = 'UPDATE'
              AND ((l.new ->> 'term')::bigint <= (l.old ->> 'term')::bigint
                OR NOT EXISTS (SELECT FROM tenure.session s
                    WHERE s.id = (l.old ->> 'session')::bigint AND s.ended_at IS NOT NULL))
            """),
    ]
}
