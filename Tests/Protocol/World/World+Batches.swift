extension World {
    /// 101 has no job left, and its end enqueues one; so has 104, whose end asks for nonsense. 102
    /// was started by nobody and is long idle. 103 was cancelled, and its jobs are still there.
    static let batches = """
        CREATE UNLOGGED TABLE world.batch (LIKE tenure.batch INCLUDING DEFAULTS);
        INSERT INTO world.batch (id, created_at, is_whole, ending_at, ending_by, follow_up)
        SELECT world.id(n), clock_timestamp() - interval '8 days', whole,
               CASE WHEN n = 103 THEN clock_timestamp() END, CASE WHEN n = 103 THEN 'ada' END,
               follow_up::jsonb
        FROM (VALUES (101, true, '[{"kind": "k", "queue": "q", "key": "k3",
                                    "payload": {"after": "101"}}]'),
                     (102, false, NULL), (103, true, NULL), (104, true, '7'))
             AS r (n, whole, follow_up);
        INSERT INTO world.subject (kind, key, issued, touched_at)
        VALUES ('k', 'k15', 27, clock_timestamp());
        INSERT INTO world.job (id, kind, queue, key, generation, state, session_id, fence, batch_id,
                               run_at, payload, attempt, runs, refunds, claimed_at)
        SELECT world.id(n), 'k', 'q', key, generation, state::tenure.job_state,
               CASE WHEN state = 'running' THEN 1 END,
               CASE WHEN state = 'running' THEN 100 + n END, world.id(103), clock_timestamp(), '{}',
               CASE WHEN state = 'running' THEN 2 ELSE 0 END,
               CASE WHEN state = 'running' THEN 3 ELSE 0 END,
               CASE WHEN state = 'running' THEN 1 ELSE 0 END,
               CASE WHEN state = 'running' THEN clock_timestamp() END
        FROM (VALUES (40, 'k15', 27, 'available'), (41, NULL, NULL, 'running'),
                     (42, NULL, NULL, 'available'))
             AS j (n, key, generation, state);

        """
}
