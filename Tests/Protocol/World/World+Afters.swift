extension World {
    /// In a queue of their own: 80 and 85 run, 84 waits for both, 86 (k16) for 80 and 87 for 86;
    /// 88 (k17) is due, and 89 waits for its end, however that is. 83 runs, and so does 82, for
    /// which a claim row speaks: nobody waits for them yet. Of key k19 81 runs, and 90 waits for
    /// that key; what it waits for is 91. 92 (k20) is due.
    static let afters = """
        CREATE UNLOGGED TABLE world.job_after (LIKE tenure.job_after INCLUDING DEFAULTS);
        CREATE UNLOGGED TABLE world.key_wait (LIKE tenure.key_wait INCLUDING DEFAULTS);
        INSERT INTO world.subject (kind, key, issued, touched_at, is_awaited)
        SELECT 'k', 'k' || n, n + 12 - (n > 17)::integer, clock_timestamp(), n = 19
        FROM unnest(ARRAY[16, 17, 19, 20]) AS n;
        INSERT INTO world.job (id, kind, queue, key, generation, state, session_id, fence, run_at,
                               payload, attempt, runs, refunds, claimed_at, waits_for_jobs,
                               has_waiters)
        SELECT world.id(n), 'k', 'w', key, generation, state::tenure.job_state,
               CASE WHEN state = 'running' THEN 1 END,
               CASE WHEN state = 'running' THEN 100 + n END, clock_timestamp(), '{}',
               CASE WHEN state = 'running' THEN 2 ELSE 0 END,
               CASE WHEN state = 'running' THEN 3 ELSE 0 END,
               CASE WHEN state = 'running' THEN 1 ELSE 0 END,
               CASE WHEN state = 'running' THEN clock_timestamp() END,
               state = 'waiting', n IN (80, 85, 86, 88)
        FROM (VALUES (80, NULL, NULL, 'running'), (82, NULL, NULL, 'available'),
                     (83, NULL, NULL, 'running'), (84, NULL, NULL, 'waiting'),
                     (85, NULL, NULL, 'running'), (86, 'k16', 28, 'waiting'),
                     (87, NULL, NULL, 'waiting'), (88, 'k17', 29, 'available'),
                     (89, NULL, NULL, 'waiting'), (81, 'k19', 30, 'running'),
                     (90, NULL, NULL, 'waiting'), (92, 'k20', 31, 'available'))
             AS j (n, key, generation, state);
        INSERT INTO world.claim_row (number, session_id, claimed_at, queue, ids, made)
        SELECT 5121, 1, clock_timestamp() - interval '2 min', 'w', ARRAY[j.id], ARRAY[j.created_at]
        FROM world.job j WHERE j.id = world.id(82);
        INSERT INTO world.session_begun (session_id, queue, n, fences)
        VALUES (1, 'w', 1, '{[180,190),[5121,5122)}');
        INSERT INTO world.job_after (job_id, needs, made, goes_on)
        SELECT world.id(w.waiter), j.id, j.created_at, w.waiter = 89
        FROM (VALUES (84, 80), (84, 85), (86, 80), (87, 86), (89, 88)) AS w (waiter, needs)
        JOIN world.job j ON j.id = world.id(w.needs);
        INSERT INTO world.key_wait (id, kind, key, generation)
        VALUES (world.id(91), 'k', 'k19', 30);
        INSERT INTO world.job_after (job_id, needs, made, goes_on)
        SELECT world.id(90), w.id, w.made_at, false FROM world.key_wait w;

        """
}
