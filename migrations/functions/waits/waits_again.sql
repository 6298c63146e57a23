-- What a finished job waited for, as `read_jobs` takes it: for the one that is run in its stead.
-- For who is unfinished it waits again, and for the repetition of one that was not completed: of
-- this call (`names`, a new id for each old one), or made before. One that was not completed and is
-- not repeated keeps it from nothing any more: who asks for the job to be run has seen how that one
-- ended, and its handler is told. Of whom nothing is known it waits no more.
CREATE OR REPLACE FUNCTION tenure.waits_again(past uuid, names jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    waits jsonb;
BEGIN
    SELECT jsonb_agg(jsonb_build_object(
        CASE WHEN a.goes_on OR w.has_failed THEN 'ended' ELSE 'completed' END, w.id)) INTO waits
    FROM (SELECT a.* FROM tenure.job_after a
          WHERE a.job_id = waits_again.past ORDER BY a.needs OFFSET 0) AS a
    CROSS JOIN LATERAL tenure.awaited_again(a.needs, names) AS w
    WHERE w.id IS NOT NULL;
    RETURN CASE WHEN waits IS NULL THEN '{}' ELSE jsonb_build_object('waits', waits) END;
END $$;

-- Who stands for a job that another waited for, and whether that one has ended otherwise than
-- completed; nobody, where nothing is known.
CREATE OR REPLACE FUNCTION tenure.awaited_again(
    needs uuid, names jsonb, OUT id uuid, OUT has_failed boolean)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    past tenure.job_history;
BEGIN
    has_failed := false;
    id := needs;
    FOR round IN 1 .. 1000 LOOP
        IF names ? id::text THEN
            id := names ->> id::text;
            RETURN;
        END IF;
        IF EXISTS (SELECT FROM tenure.job j WHERE j.id = awaited_again.id) THEN
            RETURN;
        END IF;
        SELECT h.* INTO past FROM tenure.job_history h WHERE h.id = awaited_again.id
        ORDER BY h.finished_at DESC LIMIT 1;
        EXIT WHEN NOT FOUND OR past.outcome = 'completed' OR past.retried_as IS NULL;
        id := past.retried_as;
    END LOOP;
    IF past.id IS NOT NULL THEN
        has_failed := past.outcome <> 'completed';
        RETURN;
    END IF;
    SELECT e.outcome <> 'completed' INTO has_failed FROM tenure.job_end e
    WHERE e.id = awaited_again.id ORDER BY e.made DESC LIMIT 1;
    IF NOT FOUND THEN
        id := NULL;
    END IF;
END $$;
