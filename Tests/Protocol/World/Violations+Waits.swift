extension Violations {
    static let waits = [
        Check(
            "nobody waits for nothing", "j.id::text",
            """
            FROM tenure.job j
            WHERE j.state = 'waiting' AND NOT j.waits_for_key AND NOT j.waits_for_jobs
              AND NOT EXISTS (SELECT FROM tenure.job_wait w WHERE w.job_id = j.id)
            """),
        Check(
            "nobody waits for a signal that is there", "j.id || ' for ' || w.signal",
            """
            FROM tenure.job j JOIN tenure.job_wait w ON w.job_id = j.id
            JOIN tenure.job_signal s ON s.job_id = j.id AND s.name = w.signal
            WHERE j.state IN ('waiting', 'scheduled') AND s.taken_as IS NULL
            """),
        Check(
            "nobody is let go before what it waits for", "j.id::text",
            """
            FROM tenure.job j WHERE j.state = 'available'
              AND EXISTS (SELECT FROM tenure.job_wait w WHERE w.job_id = j.id)
              AND NOT EXISTS (
                SELECT FROM tenure.job_wait w LEFT JOIN tenure.job_signal s
                  ON s.job_id = w.job_id AND s.name = w.signal AND s.taken_as IS NULL
                WHERE w.job_id = j.id
                  AND (w.until <= clock_timestamp() OR s.id IS NOT NULL))
            """),
        Check(
            "a job is scheduled for the first of its waits", "j.id::text",
            """
            FROM tenure.job j WHERE j.state = 'scheduled' AND j.run_at < (
                SELECT min(w.until) FROM tenure.job_wait w WHERE w.job_id = j.id)
                - interval '1 s'
            """),
        Check(
            "a signal is received once, and what is received was sent",
            "coalesce(s.job_id, t.job_id) || ' ' || coalesce(s.name, t.taken_as)",
            """
            FROM (SELECT * FROM tenure.job_step WHERE how = 'signal') AS s
            FULL JOIN (SELECT * FROM tenure.job_signal WHERE taken_as IS NOT NULL) AS t
                 ON t.job_id = s.job_id AND t.taken_as = s.name
            WHERE s.job_id IS NULL OR t.job_id IS NULL
            """),
        Check(
            "a job that has a step was run by its fence", "s.job_id || ' ' || s.name",
            """
            FROM tenure.job_step s WHERE s.fence NOT BETWEEN 101 AND 199
            """),
    ]
}
