-- Sets how far apart a queue's jobs start, over all workers, and how many may start at once after a
-- quiet time; null takes that away. Beside the limits of its lanes, which count as well. Exact from
-- its commit on: it waits until no claim is under way. It gives up (55P03) rather than stand in the
-- way of finishes for long; try again then. What was left of a burst is left still, as far as the
-- new one goes, and nothing that is owed is forgotten.
CREATE OR REPLACE FUNCTION tenure.rate_queue(
    queue_name text, pause interval, at_once integer DEFAULT NULL, by_whom text DEFAULT NULL,
    note jsonb DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    size CONSTANT integer := coalesce(at_once, 1);
    old  tenure.queue;
    last tenure.queue_holders;
BEGIN
    PERFORM tenure.check_name('queue', queue_name, 128);
    PERFORM tenure.check_rate('queue', queue_name, pause, size);
    PERFORM tenure.require_read_committed('setting a rate');
    LOCK TABLE tenure.queue IN ACCESS EXCLUSIVE MODE;
    SELECT * INTO old FROM tenure.queue q WHERE q.name = queue_name;
    INSERT INTO tenure.queue (name, min_interval, burst)
    VALUES (queue_name, coalesce(tenure.lane_pause(pause), '0'), size)
    ON CONFLICT (name) DO UPDATE
    SET min_interval = EXCLUDED.min_interval, burst = EXCLUDED.burst;
    SELECT * INTO last FROM tenure.queue_holders h
    WHERE h.queue = queue_name ORDER BY h.n DESC LIMIT 1;
    IF FOUND THEN
        DELETE FROM tenure.queue_holders h WHERE h.queue = queue_name AND h.n = last.n;
        last.n := last.n + 1;
        last.next_at := tenure.same_room(
            last.next_at, old.min_interval, old.burst, coalesce(pause, '0'), size);
        INSERT INTO tenure.queue_holders SELECT (last).*;
    END IF;
    PERFORM tenure.note_action(
        'rate', 'queue', jsonb_strip_nulls(jsonb_build_object(
            'name', queue_name, 'minIntervalSeconds', extract(epoch FROM pause),
            'burst', CASE WHEN pause IS NOT NULL THEN size END)), NULL, by_whom, note);
END $$;
