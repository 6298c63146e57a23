extension Violations {
    static let keys = [
        Check(
            "no write is older than the floor", "c.key || ' generation ' || c.generation",
            """
            FROM (SELECT l.seq, l.new ->> 'key' AS key,
            (l.new ->> 'generation')::bigint AS generation
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
            "a new payload is a new generation", "l.new ->> 'key'",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'UPDATE' AND l.new ->> 'key' IS NOT NULL
              AND l.old -> 'payload' <> l.new -> 'payload'
              AND (l.new ->> 'generation')::bigint <= (l.old ->> 'generation')::bigint
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
            FROM tenure.job j WHERE j.state = 'waiting' AND j.waits_for_key AND NOT EXISTS (
                SELECT FROM tenure.job r WHERE r.key = j.key AND r.state = 'running')
            """),
        // Whoever keeps a job draws a generation all the same, before his commit.
        Check(
            "a job that is kept is there", "d.old ->> 'id'",
            """
            FROM unnest(kept) AS k (id) JOIN log d
                 ON d.what = 'job' AND d.op = 'DELETE' AND d.old ->> 'id' = k.id::text
            WHERE d.old ->> 'key' IS NOT NULL
              -- Not by its id, which keeps nobody's job.
              AND NOT EXISTS (SELECT FROM tenure.given_id g WHERE g.id = k.id AND g.job_id = k.id)
              AND NOT EXISTS (
                SELECT FROM log s WHERE s.what = 'subject' AND s.seq < d.seq
                  AND s.new ->> 'key' = d.old ->> 'key' AND s.new ->> 'issued' IS DISTINCT FROM
                      s.old ->> 'issued')
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
            "no pending job is older than a commit",
            "j.key || ' generation ' || j.generation",
            """
            FROM tenure.job j JOIN tenure.subject s ON s.kind = j.kind AND s.key = j.key
            WHERE j.state <> 'running' AND j.generation <= s.committed
            """),
        Check(
            "a subject has one row, and one to be locked by", "k.key",
            """
            FROM (SELECT s.key FROM tenure.subject s UNION SELECT l.key FROM tenure.subject_lock l)
                 AS k
            WHERE (SELECT count(*) FROM tenure.subject s WHERE s.key = k.key) <> 1
               OR (SELECT count(*) FROM tenure.subject_lock l WHERE l.key = k.key) <> 1
            """),
        Check(
            "a subject covers its jobs", "j.key || ' generation ' || j.generation",
            """
            FROM tenure.job j LEFT JOIN tenure.subject s ON s.kind = j.kind AND s.key = j.key
            WHERE j.key IS NOT NULL AND (s.issued IS NULL OR s.issued < j.generation)
            """),
    ]
}
