-- Cancels a batch, at once and for good: none of its jobs starts or commits any more. Returns
-- whether it was there and not over. Pending jobs are still to be retired, and the workers to be
-- told: a notification is a transaction of its own.
CREATE OR REPLACE FUNCTION tenure.cancel_batch(
    batch uuid, by_whom text, note jsonb DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.require_durable_commit();
    UPDATE tenure.batch r
    SET ending_at = coalesce(r.ending_at, clock_timestamp()),
        ending_by = coalesce(r.ending_by, by_whom)
    WHERE r.id = batch AND r.ended_at IS NULL;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM tenure.note_action(
        'cancel', 'batch', jsonb_build_object('ids', jsonb_build_array(batch)), NULL, by_whom,
        note);
    RETURN true;
END $$;
