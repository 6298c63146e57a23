-- Lets jobs into batches that their enqueuer doesn't belong to, and keeps those batches from ending
-- until the transaction does. A batch that nobody started is made here, and never ends by itself.
-- Raises TN004 where the batch is over or cancelled.
CREATE OR REPLACE FUNCTION tenure.enter_batches(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    wanted CONSTANT bigint := (SELECT count(DISTINCT i.id) FROM unnest(ids) AS i (id));
    shut   tenure.batch;
    shared bigint;
BEGIN
    LOOP
        INSERT INTO tenure.batch (id)
        SELECT DISTINCT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (SELECT FROM tenure.batch r WHERE r.id = i.id)
        ORDER BY i.id ON CONFLICT DO NOTHING;
        PERFORM FROM tenure.batch r WHERE r.id = ANY (ids) ORDER BY r.id FOR KEY SHARE;
        GET DIAGNOSTICS shared = ROW_COUNT;
        EXIT WHEN shared = wanted;  -- one was dropped meanwhile
    END LOOP;
    IF tenure.keeps_snapshot() THEN
        PERFORM tenure.require_current_batches(ids);
    END IF;
    -- In a statement of its own: it sees what was waited for.
    SELECT * INTO shut FROM tenure.batch r
    WHERE r.id = ANY (ids) AND (r.ended_at IS NOT NULL OR r.ending_at IS NOT NULL) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'batch % is %', shut.id,
            CASE WHEN shut.ending_at IS NOT NULL THEN 'cancelled' ELSE 'over' END
            USING ERRCODE = 'TN004', HINT = 'start a new batch, or enqueue the job without one';
    END IF;
END $$;

-- The batches of follow-ups that are not a parent's own are entered before any subject is
-- locked.
CREATE OR REPLACE FUNCTION tenure.enter_other_batches(follow_ups jsonb, parents uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    others uuid[] := array(
        SELECT DISTINCT f.batch_id FROM jsonb_to_recordset(follow_ups) AS f (batch_id uuid)
        WHERE f.batch_id IS NOT NULL);
BEGIN
    -- A parent that is gone makes the result late: its end says so.
    IF others <> '{}' AND NOT EXISTS (
        SELECT FROM unnest(parents) AS p (id)
        WHERE NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = p.id)) THEN
        others := array(
            SELECT o.id FROM unnest(others) AS o (id)
            WHERE NOT EXISTS (
                SELECT FROM tenure.job j WHERE j.id = ANY (parents) AND j.batch_id = o.id));
        IF others <> '{}' THEN
            PERFORM tenure.enter_batches(others);
        END IF;
    END IF;
END $$;
