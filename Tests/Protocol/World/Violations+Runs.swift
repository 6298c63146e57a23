extension Violations {
    /// Trees of jobs.
    static let runs = [
        Check(
            "every job has its tree", "j.id || ' of ' || j.run_id",
            """
            FROM tenure.job j WHERE j.run_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM tenure.run r WHERE r.id = j.run_id AND r.ended_at IS NULL)
            """),
        Check(
            "no job of a cancelled tree completes", "h.id",
            """
            FROM tenure.job_history h
            JOIN world.run w ON w.id = h.run_id AND w.ending_at IS NOT NULL
            WHERE h.outcome = 'completed'
            """),
        Check(
            "an enqueue outlives a cancelled tree", "l.new ->> 'issued'",
            """
            FROM log l WHERE l.what = 'subject' AND l.new ->> 'key' = 'k15'
              AND (l.new ->> 'issued')::bigint > 27 AND NOT EXISTS (
                SELECT FROM log n WHERE n.what = 'job' AND n.op = 'INSERT'
                  AND n.new ->> 'key' = 'k15')
            """),
        Check(
            "the end of a tree enqueues once", "count(*)",
            """
            FROM log l WHERE l.what = 'job' AND l.op = 'INSERT'
              AND l.new -> 'payload' ->> 'after' = '101' HAVING count(*) > 1
            """),
        Check(
            "what the end of a tree enqueues is there with it", "l.new ->> 'id'",
            """
            FROM log l WHERE l.what = 'run' AND l.new ->> 'id' = world.id(101)::text
              AND l.new ->> 'ended_at' IS NOT NULL AND NOT EXISTS (
                SELECT FROM log n WHERE n.what = 'job' AND n.op = 'INSERT'
                  AND n.new -> 'payload' ->> 'after' = '101')
            """),
    ]
}
