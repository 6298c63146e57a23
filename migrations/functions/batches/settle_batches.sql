-- Ends those of the batches that have no job left, each once, and enqueues what their ends ask for.
-- Returns them. From the newest job: those that have ended lie before it as a rule. What one of
-- them asks for may be impossible, or need a key that somebody has locked: that holds up no other.
CREATE OR REPLACE FUNCTION tenure.settle_batches(ids uuid[]) RETURNS SETOF tenure.settled_batch
LANGUAGE plpgsql SET lock_timeout = '200ms'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    candidate uuid;
    mine      tenure.batch;
    over      tenure.batch[] := '{}';
    part      tenure.batch[];
BEGIN
    -- A batch looks empty where its jobs came after the snapshot: somebody else's look ends it.
    IF tenure.keeps_snapshot() THEN
        RETURN;
    END IF;
    FOR candidate IN
        SELECT i.id FROM unnest(ids) AS i (id)
        WHERE NOT EXISTS (SELECT FROM (
            SELECT FROM tenure.job j WHERE j.batch_id = i.id ORDER BY j.id DESC LIMIT 1) AS j)
        ORDER BY i.id
    LOOP
        SELECT * INTO mine FROM tenure.batch r
        WHERE r.id = candidate AND r.ended_at IS NULL AND (r.is_whole OR r.ending_at IS NOT NULL)
        FOR UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        -- Under its lock, in a statement of its own: who came from outside meanwhile is seen.
        CONTINUE WHEN EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = candidate);
        PERFORM tenure.require_durable_commit();
        IF mine.follow_up IS NULL THEN
            UPDATE tenure.batch r SET ended_at = clock_timestamp() WHERE r.id = candidate;
            RETURN NEXT (candidate, true, NULL, '{}')::tenure.settled_batch;
        ELSE
            over := over || mine;
        END IF;
    END LOOP;
    -- All together; where that fails, each by itself, and behind the others those whose jobs may
    -- wait for one that another asks for.
    over := array(
        SELECT o FROM unnest(over) AS o
        ORDER BY coalesce(jsonb_path_exists(o.follow_up, '$[*].waits'), false), o.id);
    FOR turn IN 0 .. cardinality(over) LOOP
        EXIT WHEN over = '{}';
        part := CASE WHEN turn = 0 THEN over ELSE over[turn:turn] END;
        BEGIN
            PERFORM tenure.end_locked_batches(part);
            RETURN QUERY
                SELECT o.id, true, NULL::text, array(
                    SELECT DISTINCT coalesce(f.job ->> 'queue', 'default')
                    FROM jsonb_array_elements(o.follow_up) AS f (job))
                FROM unnest(part) AS o;
            EXIT WHEN turn = 0;
        EXCEPTION WHEN OTHERS THEN
            CONTINUE WHEN turn = 0;
            IF tenure.is_passing(SQLSTATE) THEN
                RETURN NEXT ((part[1]).id, false, NULL, '{}')::tenure.settled_batch;
            ELSE
                -- Of a job that was forgotten nothing is kept, nor what is said of it.
                UPDATE tenure.batch r
                SET ended_at = clock_timestamp(),
                    follow_up = CASE WHEN NOT r.has_forgotten THEN r.follow_up END,
                    refused = CASE WHEN r.has_forgotten THEN 'one of its jobs was forgotten'
                                   ELSE SQLERRM END
                WHERE r.id = (part[1]).id;
                RETURN NEXT ((part[1]).id, true, SQLERRM, '{}')::tenure.settled_batch;
            END IF;
        END;
    END LOOP;
END $$;

-- Ends batches, which are locked, and enqueues what their ends ask for: all in one enqueue, whose
-- keys are locked sorted as everywhere.
CREATE OR REPLACE FUNCTION tenure.end_locked_batches(batches tenure.batch[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- What is enqueued is the jobs' from now on, and kept for nobody here.
    UPDATE tenure.batch r SET ended_at = clock_timestamp(), follow_up = NULL
    WHERE r.id = ANY (array(SELECT o.id FROM unnest(batches) AS o));
    PERFORM FROM tenure.enqueue_new(tenure.read_jobs((
        SELECT jsonb_agg(f.job) FROM unnest(batches) AS o
        CROSS JOIN LATERAL jsonb_array_elements(o.follow_up) AS f (job))));
END $$;
