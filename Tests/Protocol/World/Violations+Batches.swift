extension Violations {
    /// Batches of jobs.
    static let batches = [
        Check(
            "every job has its batch", "j.id || ' of ' || j.batch_id",
            """
            FROM tenure.job j WHERE j.batch_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.batch r WHERE r.id = j.batch_id AND r.ended_at IS NULL)
            """),
        Check(
            "no job of a cancelled batch completes", "h.id",
            """
            FROM tenure.job_history h
            JOIN world.batch w ON w.id = h.batch_id AND w.ending_at IS NOT NULL
            WHERE h.outcome = 'completed'
            """),
        Check(
            "an enqueue outlives a cancelled batch", "l.new ->> 'issued'",
            """
            FROM log l WHERE l.what = 'subject' AND l.new ->> 'key' = 'k15'
              AND (l.new ->> 'issued')::bigint > 27 AND NOT EXISTS (
                SELECT FROM log n WHERE n.what = 'job' AND n.op = 'INSERT'
                  AND n.new ->> 'key' = 'k15')
            """),
        Check(
            "the end of a batch enqueues once", "count(*)",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'INSERT'
              AND l.new -> 'payload' ->> 'after' = '101' HAVING count(*) > 1
            """),
        Check(
            "what the end of a batch enqueues is there with it", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'batch' AND l.new ->> 'id' = world.id(101)::text
              AND l.new ->> 'ended_at' IS NOT NULL AND NOT EXISTS (
                SELECT FROM log n WHERE n.what = 'job' AND n.op = 'INSERT'
                  AND n.new -> 'payload' ->> 'after' = '101')
            """),
    ]
}
