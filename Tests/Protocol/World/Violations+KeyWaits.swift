extension Violations {
    /// Jobs that wait for keys. Asked when all ends are settled.
    static let keyWaits = [
        Check(
            "a wait for a key is open while a job may bring the commit",
            "w.key || ' generation ' || w.generation",
            """
            FROM tenure.key_wait w
            LEFT JOIN tenure.subject s ON s.kind = w.kind AND s.key = w.key
            WHERE w.is_open AND (s.committed >= w.generation OR NOT EXISTS (
                SELECT FROM tenure.job j
                WHERE j.kind = w.kind AND j.key = w.key AND j.generation >= w.generation
                  AND j.generation >= s.floor AND j.generation > s.committed))
            """),
        Check(
            "a wait for a key that is over has an end, and an open one has none",
            "w.key || ' generation ' || w.generation",
            """
            FROM tenure.key_wait w WHERE w.is_open = EXISTS (
                SELECT FROM tenure.job_end e WHERE e.id = w.id AND e.made = w.made_at AND e.is_key)
            """),
        Check(
            "a subject says whether its key is waited for", "s.key",
            """
            FROM tenure.subject s WHERE s.is_awaited <> EXISTS (
                SELECT FROM tenure.key_wait w
                WHERE w.kind = s.kind AND w.key = s.key AND w.is_open)
            """),
        Check(
            "who waits for a key goes on behind its commit", "w.key || ' ' || w.generation",
            """
            FROM tenure.key_wait w JOIN tenure.job_end e ON e.id = w.id AND e.made = w.made_at
            JOIN tenure.subject s ON s.kind = w.kind AND s.key = w.key
            WHERE e.outcome = 'completed' AND s.committed < w.generation
            """),
        Check(
            "no wait for a key fails behind the commit", "w.key || ' ' || w.generation",
            """
            FROM log e JOIN tenure.key_wait w ON w.id::text = e.new ->> 'id'
            JOIN log s ON s.what = 'subject' AND s.seq < e.seq AND s.new ->> 'key' = w.key
              AND (s.new ->> 'committed')::bigint >= w.generation
            WHERE e.what = 'job_end' AND e.op = 'INSERT' AND e.new ->> 'outcome' <> 'completed'
            """),
        Check(
            "no wait for a key fails while a job of it may commit",
            "w.key || ' ' || w.generation",
            """
            FROM log e JOIN tenure.key_wait w ON w.id::text = e.new ->> 'id'
            JOIN (SELECT h.id, h.key, h.generation FROM tenure.job_history h
                  WHERE h.outcome = 'completed'
                  UNION ALL SELECT j.id, j.key, j.generation FROM tenure.job j
                  JOIN tenure.subject s ON s.kind = j.kind AND s.key = j.key
                  WHERE j.generation >= s.floor) AS o
              ON o.key = w.key AND o.generation >= w.generation
            WHERE e.what = 'job_end' AND e.op = 'INSERT' AND e.new ->> 'outcome' <> 'completed'
              AND NOT EXISTS (
                SELECT FROM log i WHERE i.what = 'job' AND i.op = 'INSERT' AND i.seq > e.seq
                  AND i.new ->> 'id' = o.id::text)
            """),
    ]
}
