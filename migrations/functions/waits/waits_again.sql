-- What a finished job waited for, as `read_jobs` takes it: for the one that is run in its stead.
-- For who is unfinished it waits again, and for the repetition of one that was not completed: of
-- this call (`names`, a new id for each old one), or made before. One that was not completed and is
-- not repeated keeps it from nothing any more: who asks for the job to be run has seen how that one
-- ended, and its handler is told. Of whom nothing is known it waits no more. For keys: `key_again`.
CREATE OR REPLACE FUNCTION tenure.waits_again(past uuid, names jsonb DEFAULT '{}') RETURNS jsonb
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    waits jsonb;
BEGIN
    SELECT jsonb_agg(o.wait) INTO waits
    FROM (SELECT a.* FROM tenure.job_after a
          WHERE a.job_id = waits_again.past ORDER BY a.needs OFFSET 0) AS a
    LEFT JOIN LATERAL (
        SELECT w.id, w AS it FROM tenure.key_wait w WHERE w.id = a.needs OFFSET 0) AS k ON true
    CROSS JOIN LATERAL (
        SELECT jsonb_build_object(
            CASE WHEN a.goes_on OR w.has_failed THEN 'ended' ELSE 'completed' END, w.id) AS wait
        FROM tenure.awaited_again(a.needs, names) AS w WHERE k.id IS NULL AND w.id IS NOT NULL
        UNION ALL
        SELECT tenure.key_again(k.it, names) WHERE k.id IS NOT NULL) AS o
    WHERE o.wait IS NOT NULL;
    RETURN CASE WHEN waits IS NULL THEN '{}' ELSE jsonb_build_object('waits', waits) END;
END $$;

-- A wait for a key, once more: its end stands, where that is a commit; else it is for the newest
-- generation that the key has by then, if there is one, or if what was given up is repeated.
CREATE OR REPLACE FUNCTION tenure.key_again(awaited tenure.key_wait, names jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    was tenure.job_end;
BEGIN
    SELECT e.* INTO was FROM tenure.job_end e WHERE e.id = awaited.id AND e.made = awaited.made_at;
    IF was.outcome = 'completed' THEN
        RETURN jsonb_build_object('completed', awaited.id);
    ELSIF tenure.newest_alive(awaited.kind, awaited.key) >= awaited.generation
          OR names ? coalesce(was.path[1], was.root_id)::text
          OR EXISTS (SELECT FROM tenure.subject_of(awaited.kind, awaited.key) AS s
                     WHERE s.committed >= awaited.generation) THEN
        RETURN jsonb_build_object('key', jsonb_build_object(
            'kind', awaited.kind, 'key', awaited.key));
    END IF;
    RETURN CASE WHEN was.id IS NOT NULL THEN jsonb_build_object('ended', awaited.id) END;
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
