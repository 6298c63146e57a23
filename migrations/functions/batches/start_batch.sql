-- Batches: trees of jobs that are cancelled, counted and ended as one.
--
-- Why: who fans out work wants to stop all of it, to see how far it is, and to be told once, when
-- the last of it has ended. None of the three may cost the single job anything that all jobs of
-- the batch would wait for (docs/decisions/batches.md).
--   * A batch is cancelled by one mark. Claims start none of its jobs, verdicts and commits heed
--     it; the pending ones are moved to history afterwards, some at a time.
--   * It is counted by index, when somebody asks.
--   * It has ended when no job of it is left. A job and its follow-ups change places in one commit,
--     and who comes from outside locks the batch: so what one look finds true stays true, and
--     whoever looks after the last commit finds it. Looking again is always safe.
-- Locks: batches come before subjects: the user's rows → batches, by id → subjects → jobs →
-- lanes.
-- Follow-ups of a batch's own jobs take none: their parent is unfinished until they are there.
-- Only `settle_batches` locks a batch against entering, and it skips what is locked.

-- Starts a batch. Returns false, and writes nothing, when it was started before. What its end would
-- enqueue is looked at now, while somebody is there to be told.
CREATE OR REPLACE FUNCTION tenure.start_batch(batch uuid, follow_up jsonb DEFAULT NULL)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    IF follow_up IS NOT NULL THEN
        PERFORM tenure.check_fields(follow_up), tenure.check_jobs(tenure.read_jobs(follow_up));
        PERFORM tenure.check_json('payload', f.value -> 'payload')
        FROM jsonb_array_elements(follow_up) AS f;
    END IF;
    INSERT INTO tenure.batch (id, is_whole, follow_up) VALUES (batch, true, follow_up)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN true;
    ELSIF EXISTS (SELECT FROM tenure.batch r WHERE r.id = batch AND r.is_whole) THEN
        RETURN false;
    END IF;
    RAISE EXCEPTION 'batch % has jobs already, and was not started', batch
        USING ERRCODE = 'TN003', HINT = 'start it before its jobs are enqueued, or with another id';
END $$;
