-- Writes all runs that these claim rows speak for on their jobs' own rows, and takes the claim rows
-- away that speak for none any more. What is locked just then stays as it is, for another round.
-- A job that is spoken for stays so until it is written: what is found to be left of none is.
CREATE OR REPLACE FUNCTION tenure.settle_claims(numbers bigint[]) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    written integer;
BEGIN
    IF numbers = '{}' THEN
        RETURN 0;
    END IF;
    written := tenure.write_runs(numbers, NULL, NULL, false);
    DELETE FROM tenure.claim_row c
    WHERE c.number = ANY (numbers) AND NOT EXISTS (
        SELECT FROM unnest(c.ids, c.made) AS u (id, made) CROSS JOIN LATERAL (
            SELECT FROM tenure.job j
            WHERE j.id = u.id AND j.created_at = u.made AND j.runs = 0 AND j.fence IS NULL
            OFFSET 0) AS j);
    RETURN written;
END $$;

-- The same for claim rows that are a minute old: jobs that end fast are over by then, and what runs
-- for longer has a row of its own, which costs other claims nothing. A net, too, under sessions
-- that don't say which claims are over. Returns how many runs were written.
CREATE OR REPLACE FUNCTION tenure.sweep_claims(at_most integer) RETURNS integer
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.require_read_committed('a sweep');
    RETURN tenure.settle_claims(array(
        SELECT c.number FROM tenure.claim_row c
        WHERE c.claimed_at NOT BETWEEN clock_timestamp() - interval '1 min'
                                   AND clock_timestamp() + interval '1 min'
        ORDER BY c.number LIMIT at_most));
END $$;
