-- Sets the most jobs of a queue that may run at once, over all workers; null takes the limit
-- away. Exact from its commit on: it waits until no claim is under way, and counts what runs. It
-- gives up (55P03) rather than stand in the way of finishes for long; try again then.
CREATE OR REPLACE FUNCTION tenure.limit_queue(
    queue_name text, most integer, by_whom text DEFAULT NULL, note jsonb DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s'
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.check_name('queue', queue_name, 128);
    PERFORM tenure.require_read_committed('setting a limit');
    LOCK TABLE tenure.queue IN ACCESS EXCLUSIVE MODE;
    INSERT INTO tenure.queue (name, max_running) VALUES (queue_name, most)
    ON CONFLICT (name) DO UPDATE SET max_running = EXCLUDED.max_running;
    INSERT INTO tenure.queue_holders (queue, n, running_ids, running_fences, next_at)
    SELECT queue_name, 1 + coalesce((SELECT max(h.n) FROM tenure.queue_holders h
                                     WHERE h.queue = queue_name), 0),
           coalesce(array_agg(r.id), '{}'), coalesce(array_agg(r.fence), '{}'),
           coalesce((SELECT h.next_at FROM tenure.queue_holders h
                     WHERE h.queue = queue_name ORDER BY h.n DESC LIMIT 1), '-infinity')
    FROM tenure.run_seen r WHERE r.queue = queue_name;
    DELETE FROM tenure.queue_holders h
    WHERE h.queue = queue_name AND h.n < (SELECT max(n.n) FROM tenure.queue_holders n
                                          WHERE n.queue = queue_name);
    PERFORM tenure.note_action(
        'limit', 'queue', jsonb_build_object('name', queue_name, 'limit', most), NULL, by_whom,
        note);
END $$;
