-- Forgets steps, waits and signals of jobs that are over and in history no more, and how those
-- ended that they waited for, jobs and keys: so long ago at least. Where history is in other hands
-- for long, the next turn does it.
CREATE OR REPLACE FUNCTION tenure.drop_steps(kept interval) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
    before CONSTANT timestamptz := clock_timestamp() - kept;
    old    tenure.job_end[];
    idle   tenure.key_wait[];
BEGIN
    -- An old snapshot doesn't show who waits.
    PERFORM tenure.require_read_committed('retention');
    DELETE FROM tenure.job_step s
    WHERE s.done_at < before
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = s.job_id)
      AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = s.job_id);
    DELETE FROM tenure.job_wait w
    WHERE w.made_at < before
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = w.job_id)
      AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = w.job_id);
    DELETE FROM tenure.job_signal s
    WHERE s.sent_at < before
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = s.job_id)
      AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = s.job_id);
    DELETE FROM tenure.job_after a
    WHERE a.asked_at < before
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = a.job_id)
      AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = a.job_id);
    DELETE FROM tenure.job_letter l
    WHERE l.made_at < before
      AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.id = l.letter_id)
      AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = l.letter_id);
    -- Who is about to wait for a key has it locked; whoever wants to is behind us.
    idle := array(
        SELECT w FROM tenure.key_wait w
        WHERE w.made_at < before
          AND NOT EXISTS (SELECT FROM tenure.job_after a WHERE a.needs = w.id)
          AND (NOT EXISTS (
              SELECT FROM tenure.subject_lock l WHERE l.kind = w.kind AND l.key = w.key)
            OR EXISTS (
              SELECT FROM tenure.subject_lock l WHERE l.kind = w.kind AND l.key = w.key
              FOR NO KEY UPDATE SKIP LOCKED))
        LIMIT 10000);
    -- Locked first: who is about to wait for one has it locked, or will look again. Behind the
    -- locks all edges are seen. The end of a wait for a key goes with the wait, or not at all.
    old := array(
        SELECT (e.id, e.made, e.outcome, e.ended_at, e.again_at, true, false, e.is_key, NULL, NULL,
                NULL, NULL, '{}', 0, NULL, NULL)::tenure.job_end
        FROM tenure.job_end e
        WHERE e.is_settled AND e.ended_at < before
          AND (NOT e.is_key OR e.id IN (SELECT i.id FROM unnest(idle) AS i))
          AND NOT EXISTS (SELECT FROM tenure.job_after a WHERE a.needs = e.id)
        ORDER BY e.id, e.made FOR UPDATE SKIP LOCKED);
    DELETE FROM tenure.job_end e USING (SELECT o.id, o.made FROM unnest(old) AS o) AS o
    WHERE e.id = o.id AND e.made = o.made
      AND NOT EXISTS (SELECT FROM tenure.job_after a WHERE a.needs = e.id);
    DELETE FROM tenure.key_wait w USING (SELECT i.id FROM unnest(idle) AS i) AS i
    WHERE w.id = i.id
      AND NOT EXISTS (SELECT FROM tenure.job_after a WHERE a.needs = w.id)
      AND NOT EXISTS (SELECT FROM tenure.job_end e WHERE e.id = w.id);
    -- The subject says whether its key is waited for, and is a newer one: who keeps a snapshot does
    -- not go by a wait that is gone.
    PERFORM tenure.decide_keys(array(SELECT i.kind FROM unnest(idle) AS i WHERE i.is_open),
                               array(SELECT i.key FROM unnest(idle) AS i WHERE i.is_open));
END $$;
