extension World {
    /// Three claims that one row speaks for, long enough ago to be swept: 71, 72 and 73 run in
    /// session 1; 74, which had begun, and 75 in session 3, which is dead; 76, which leaves no
    /// trace, in session 1. 73's time was given by a clock that was set back since. 77 has an id
    /// that was 72's neighbour's once: made anew, it waits.
    ///
    /// 78 waits as they did, for whoever claims it.
    static let claimRows = """
        INSERT INTO world.job (id, kind, queue, state, run_at, created_at, payload)
        SELECT world.id(n), 'k', CASE WHEN n = 76 THEN 'forgets' ELSE 'q' END, 'available',
               clock_timestamp() - make_interval(mins => 60 - n) + CASE
                   WHEN n = 73 THEN interval '2 h' ELSE '0' END,
               clock_timestamp() + CASE WHEN n = 73 THEN interval '1 h' ELSE '0' END, '{}'
        FROM generate_series(71, 78) AS n;
        UPDATE world.job SET run_at = clock_timestamp() - interval '5 min'
        WHERE id IN (world.id(71), world.id(72), world.id(74), world.id(75), world.id(76),
                     world.id(77), world.id(78));
        INSERT INTO world.claim_row (number, session_id, claimed_at, queue, ids, made)
        SELECT c.number, c.session, clock_timestamp() - interval '2 min', c.queue,
               array(SELECT world.id(n) FROM unnest(c.jobs) AS n),
               array(SELECT j.created_at - CASE WHEN n = 77 THEN interval '1 h' ELSE '0' END
                     FROM unnest(c.jobs) AS n JOIN world.job j ON j.id = world.id(n)
                     ORDER BY array_position(c.jobs, n))
        FROM (VALUES (2049, 1, 'q', '{71,72,73,77}'::integer[]), (3073, 3, 'q', '{74,75}'),
                     (4097, 1, 'forgets', '{76}'))
             AS c (number, session, queue, jobs);
        CREATE VIEW world.folded_run AS
            SELECT u.id AS job_id, u.made, c.number + u.spot - 1 AS fence, c.number, c.queue,
                   c.claimed_at
            FROM world.claim_row c
            CROSS JOIN LATERAL unnest(c.ids, c.made) WITH ORDINALITY AS u (id, made, spot);

        """
}
