-- Cancels waiting jobs, which are locked, because of these ends, one for each. `followed`: as
-- `move_pending` has it.
CREATE OR REPLACE FUNCTION tenure.cancel_waiters(
    ids uuid[], because tenure.job_end[], followed boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    -- An id may have come back, with an end of its earlier job.
    times CONSTANT timestamptz[] := array(
        SELECT j.created_at FROM unnest(ids) WITH ORDINALITY AS i (id, place)
        CROSS JOIN LATERAL (
            SELECT j.created_at FROM tenure.job j WHERE j.id = i.id OFFSET 0) AS j
        ORDER BY i.place);
BEGIN
    PERFORM tenure.move_pending(
        ids, 'cancelled', NULL, whys => array(
            SELECT tenure.after_reason(b) FROM unnest(because) AS b), followed => followed);
    -- For those that wait for these in turn.
    UPDATE tenure.job_end e
    SET root_id = coalesce((b.cause).root_id, (b.cause).id),
        root = coalesce((b.cause).root, (b.cause).outcome),
        root_reason = CASE WHEN (b.cause).root_id IS NULL THEN (b.cause).reason
                           ELSE (b.cause).root_reason END,
        path = tenure.way_to_waiter(b.cause),
        left_out = least((b.cause).left_out, 2147483646)
            + (cardinality((b.cause).path) = tenure.longest_way() AND NOT (b.cause).is_key)::integer
    FROM unnest(ids, times) WITH ORDINALITY AS i (waiter, made, place)
    JOIN (SELECT c AS cause, row_number() OVER () AS place FROM unnest(because) AS c) AS b
      ON b.place = i.place
    WHERE e.id = i.waiter AND e.made = i.made AND e.id = ANY (ids) AND NOT e.is_settled;
END $$;

-- Cancels one that waited for a job that was not completed, before somebody settles that end: a
-- job of its key is about to be enqueued.
CREATE OR REPLACE FUNCTION tenure.cancel_doomed(job uuid) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    because tenure.job_end;
BEGIN
    SELECT e.* INTO because FROM tenure.job_after a
    JOIN tenure.job_end e ON e.id = a.needs AND e.made = a.made
    WHERE a.job_id = cancel_doomed.job AND NOT a.goes_on AND e.outcome <> 'completed'
    ORDER BY e.ended_at, e.id LIMIT 1 FOR KEY SHARE OF e;
    PERFORM tenure.cancel_waiters(ARRAY[job], ARRAY[because], true);
END $$;

-- What is said of a job that is cancelled because of this end. It begins with `after:`.
CREATE OR REPLACE FUNCTION tenure.after_reason(cause tenure.job_end) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    way  CONSTANT uuid[] := tenure.way_to_waiter(cause);
    half CONSTANT integer := tenure.longest_way() / 2;
    more CONSTANT integer := least(cause.left_out, 2147483646)
        + (cardinality(cause.path) = tenure.longest_way() AND NOT cause.is_key)::integer;
BEGIN
    RETURN format('after: job %s was %s', coalesce(cause.root_id, cause.id),
                  coalesce(cause.root, cause.outcome))
        || CASE WHEN way = '{}' THEN ''
                WHEN more = 0 THEN ', by way of ' || array_to_string(way, ', ')
                ELSE format(', by way of %s, … %s more …, %s', array_to_string(way[:half], ', '),
                            more, array_to_string(way[half + 1:], ', ')) END
        || coalesce(': ' || left(CASE WHEN cause.root_id IS NULL THEN cause.reason
                                      ELSE cause.root_reason END, 512), '');
END $$;

CREATE OR REPLACE FUNCTION tenure.longest_way() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 8 $$;

-- Who waited in turn between the first cause of this end and those that wait for it: jobs. Where
-- they wait for a key, the job of it that was given up says which.
CREATE OR REPLACE FUNCTION tenure.way_to_waiter(cause tenure.job_end) RETURNS uuid[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN cause.root_id IS NULL THEN '{}'::uuid[]
                WHEN cause.is_key THEN cause.path
                WHEN cardinality(cause.path) < tenure.longest_way() THEN cause.path || cause.id
                ELSE cause.path[:tenure.longest_way() / 2]
                     || cause.path[tenure.longest_way() / 2 + 2:] || cause.id END
$$;
