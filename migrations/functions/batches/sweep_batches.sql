-- What nobody else came to do: retires the pending jobs of cancelled batches, 5,000 in all, and
-- ends batches whose last job ended unseen. One caller at a time; `after` is the id it has got to.
-- Returns where to go on, null at the end of a round, and what it settled.
CREATE OR REPLACE FUNCTION tenure.sweep_batches(
    after uuid, at_most integer, OUT next uuid, OUT settled tenure.settled_batch[])
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    place CONSTANT uuid := coalesce(after, '00000000-0000-0000-0000-000000000000');
    open  tenure.batch[];
    room  integer := 5000;
BEGIN
    next := after;
    settled := '{}';
    IF NOT tenure.try_turn('sweep_batches') THEN
        RETURN;
    END IF;
    open := array(
        SELECT r FROM tenure.batch r
        WHERE r.ended_at IS NULL AND (r.is_whole OR r.ending_at IS NOT NULL) AND r.id > place
        ORDER BY r.id LIMIT at_most);
    next := CASE WHEN cardinality(open) = at_most THEN (open[at_most]).id END;
    FOR turn IN 1 .. cardinality(open) LOOP
        CONTINUE WHEN (open[turn]).ending_at IS NULL;
        room := room - tenure.retire_batch((open[turn]).id, room);
        IF room <= 0 THEN  -- there may be more of this one
            next := CASE WHEN turn = 1 THEN place ELSE (open[turn - 1]).id END;
            EXIT;
        END IF;
    END LOOP;
    settled := array(
        SELECT s FROM tenure.settle_batches(array(SELECT o.id FROM unnest(open) AS o)) AS s);
END $$;
