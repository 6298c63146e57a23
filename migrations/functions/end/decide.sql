-- The one place where the end of a run is decided. A cancelled job is cancelled, and an outdated
-- one superseded, whatever it came to say; then its own word counts.
CREATE OR REPLACE FUNCTION tenure.decide(
    j tenure.job, s tenure.subject, e tenure.ending, newer boolean)
RETURNS tenure.decision
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    spent   boolean := j.attempt >= j.max_attempts;
    refunds boolean := j.refunds < tenure.max_refunds();
    outdated boolean := j.generation IS NOT NULL
                        AND (s.floor > j.generation OR s.committed >= j.generation);
    d       tenure.decision;
BEGIN
    d.id := j.id; d.fence := j.fence;
    -- No pause is longer than a clock can bear.
    d.delay := CASE WHEN e.delay > '3650 days' THEN '3650 days' WHEN e.delay < '0' THEN '0'
                    ELSE e.delay END;
    d.result := e.result; d.reason := e.reason;
    d.refund := false;
    d.unbegun := e.wanted = 'unbegun';
    IF j.ending_at IS NOT NULL OR e.wanted = 'cancelled' THEN
        d.became := 'cancelled'; d.refund := true;
        d.reason := coalesce(j.ending_by, e.reason);
    ELSIF outdated OR e.wanted = 'superseded' THEN
        d.became := 'superseded'; d.refund := true;
        d.reason := 'superseded by generation ' || greatest(s.floor, s.committed);
    ELSIF newer AND e.wanted NOT IN ('completed', 'discarded') THEN
        -- Its coalesced successor waits with newer content: that one runs instead.
        d.became := 'superseded'; d.refund := true; d.reason := 'a newer job of its key waits';
    ELSIF e.wanted IN ('completed', 'discarded') THEN
        d.became := e.wanted;
    ELSIF d.unbegun THEN
        -- It was claimed, and no handler has begun: that costs nothing, however often.
        d.became := 'available'; d.refund := true;
    ELSIF e.wanted = 'waits' THEN
        -- However often: each wait that is over is a step that is behind the job.
        d.became := 'waiting'; d.refund := true;
    ELSIF e.wanted = 'held' THEN
        d.became := 'held'; d.refund := true; d.hold_version := e.hold_version;
    ELSIF e.wanted IN ('snoozed', 'handed_back') AND refunds THEN
        d.became := CASE WHEN e.delay > '0' THEN 'scheduled' ELSE 'available' END;
        d.refund := true;
    ELSIF spent THEN
        d.became := 'discarded';
        d.reason := coalesce(e.reason, 'attempts are spent');
    ELSIF e.wanted = 'failed' THEN
        d.became := 'retryable';
    ELSE  -- reclaimed, or handed back more often than is refunded
        d.became := CASE WHEN e.delay > '0' THEN 'scheduled' ELSE 'available' END;
    END IF;
    -- A run that was to stop has not failed, whatever it died of.
    IF e.wanted IN ('failed', 'reclaimed', 'discarded')
       AND d.became NOT IN ('cancelled', 'superseded') THEN
        d.error_code := e.error_code; d.error_message := e.error_message;
    END IF;
    RETURN d;
END $$;

-- Refunds are bounded, so that nothing circles for ever unseen.
CREATE OR REPLACE FUNCTION tenure.max_refunds() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 1000 $$;
