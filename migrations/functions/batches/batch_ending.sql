-- Who cancelled a batch; nothing when nobody did.
CREATE OR REPLACE FUNCTION tenure.batch_ending(batch uuid) RETURNS SETOF text
LANGUAGE sql STABLE AS $$
    SELECT coalesce(r.ending_by, '') FROM tenure.batch r
    WHERE r.id = batch AND r.ending_at IS NOT NULL
$$;

-- For whoever keeps a snapshot: fails (40001) where one of the batches was cancelled or ended
-- since; else he would let jobs into it, or commit one of its. Who cancels it now waits for him.
CREATE OR REPLACE FUNCTION tenure.require_current_batches(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM tenure.batch r WHERE r.id = ANY (ids) ORDER BY r.id FOR SHARE;
END $$;

-- The same for the batches that jobs belong to.
CREATE OR REPLACE FUNCTION tenure.require_current_batches_of(jobs uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_current_batches(array(
        SELECT j.batch_id FROM (
            SELECT j.batch_id FROM tenure.job j WHERE j.id = ANY (jobs) OFFSET 0) AS j
        WHERE j.batch_id IS NOT NULL));
END $$;
