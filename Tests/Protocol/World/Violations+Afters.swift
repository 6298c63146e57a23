extension Violations {
    /// Jobs that wait for other jobs. Asked when all ends are settled.
    static let afters = [
        Check(
            "what ends while others wait for it is written down",
            "a.job_id || ' after ' || a.needs",
            """
            FROM tenure.job_after a
            WHERE NOT EXISTS (SELECT FROM tenure.job j
                              WHERE j.id = a.needs AND j.created_at = a.made)
              AND NOT EXISTS (SELECT FROM tenure.job_end e
                              WHERE e.id = a.needs AND e.made = a.made)
              AND NOT EXISTS (SELECT FROM tenure.key_wait w WHERE w.id = a.needs AND w.is_open)
            """),
        Check(
            "whom others wait for is marked", "a.job_id || ' after ' || a.needs",
            """
            FROM tenure.job_after a
            JOIN tenure.job j ON j.id = a.needs AND j.created_at = a.made
            WHERE NOT j.has_waiters
            """),
        Check(
            "an id comes back when nothing is kept of its job", "j.id::text",
            "FROM tenure.job j WHERE EXISTS (SELECT FROM tenure.job_end e WHERE e.id = j.id)"),
        Check(
            "nobody waits for jobs that have ended", "j.id::text",
            """
            FROM tenure.job j WHERE j.waits_for_jobs AND (NOT EXISTS (
                SELECT FROM tenure.job_after a LEFT JOIN tenure.job_end e
                  ON e.id = a.needs AND e.made = a.made
                WHERE a.job_id = j.id AND e.id IS NULL) OR EXISTS (
                SELECT FROM tenure.job_after a JOIN tenure.job_end e
                  ON e.id = a.needs AND e.made = a.made
                WHERE a.job_id = j.id AND NOT a.goes_on AND e.outcome <> 'completed'))
            """),
        Check(
            "nobody starts before whom it waits for has ended", "j.id || ' ' || j.state",
            """
            FROM (SELECT j.id, j.state::text FROM tenure.job j WHERE NOT j.waits_for_jobs
                  UNION ALL SELECT h.id, h.outcome::text FROM tenure.job_history h
                            WHERE h.outcome = 'completed') AS j
            WHERE EXISTS (
                SELECT FROM tenure.job_after a LEFT JOIN tenure.job_end e
                  ON e.id = a.needs AND e.made = a.made
                WHERE a.job_id = j.id
                  AND (e.id IS NULL OR NOT a.goes_on AND e.outcome <> 'completed'))
            """),
        Check(
            "who waits is let go once", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'UPDATE'
              AND l.old ->> 'waits_for_jobs' = 'true' AND l.new ->> 'waits_for_jobs' = 'false'
            GROUP BY l.new ->> 'id' HAVING count(*) > 1
            """),
        Check(
            "who is cancelled after another waited for one that was not completed",
            "h.id::text",
            """
            FROM tenure.job_history h WHERE starts_with(h.reason, 'after: ') AND NOT EXISTS (
                SELECT FROM tenure.job_after a JOIN tenure.job_end e
                  ON e.id = a.needs AND e.made = a.made
                WHERE a.job_id = h.id AND NOT a.goes_on AND e.outcome <> 'completed')
            """),
        Check(
            "nobody begins to wait for a job that has ended",
            "(a.new ->> 'job_id') || ' after ' || (a.new ->> 'needs')",
            """
            FROM log a JOIN log e ON e.what = 'job_end' AND e.op = 'INSERT'
              AND e.new ->> 'id' = a.new ->> 'needs' AND e.new ->> 'made' = a.new ->> 'made'
              AND e.seq < a.seq AND e.xid <> a.xid
            WHERE a.what = 'job_after' AND a.op = 'INSERT'
              AND (SELECT count(*) FROM tenure.job_after o
                   WHERE o.job_id::text = a.new ->> 'job_id') = 1
              AND NOT EXISTS (
                SELECT FROM log u WHERE u.what = 'job' AND u.xid = a.xid AND u.op <> 'INSERT'
                  AND u.old ->> 'id' = a.new ->> 'job_id')
            """),
    ]
}
