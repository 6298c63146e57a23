-- Signals: sent to a job before or after it waits for them, in the sender's transaction.
--
-- Locks: as everywhere, a keyed job's subject before the job. Whoever ends a run has the job's row,
-- too: so a signal is there before the run's end looks, or finds that the job waits.

-- Sends a signal under an id, under which it counts once. Answers `woken` where the job waited for
-- it, `kept` where it hasn't yet, `repeated` where it was sent before, `finished`, or `unknown`;
-- and the queue that is to be told, afterwards, where there is something to claim. With a `note` it
-- is an operator's act.
CREATE OR REPLACE FUNCTION tenure.send_signal(
    job uuid, name text, payload jsonb, id uuid, sender text, note jsonb DEFAULT NULL,
    OUT result text, OUT queue text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    mine   tenure.job;
    number bigint;
BEGIN
    PERFORM tenure.check_name('the name of a signal', send_signal.name, 128),
            tenure.check_json('payload of a signal', send_signal.payload),
            tenure.require_durable_commit(),
            tenure.lock_subjects(ARRAY[send_signal.job], NULL, true);
    SELECT * INTO mine FROM tenure.job j WHERE j.id = send_signal.job FOR UPDATE;
    IF NOT FOUND THEN
        result := CASE WHEN EXISTS (SELECT FROM tenure.job_history h WHERE h.id = send_signal.job)
                       THEN 'finished' ELSE 'unknown' END;
        RETURN;
    END IF;
    SELECT count(*) INTO number FROM (
        SELECT FROM tenure.job_signal s WHERE s.job_id = mine.id LIMIT tenure.most_signals()) AS s;
    IF number >= tenure.most_signals() THEN
        RAISE EXCEPTION 'job % has got % signals, and may get no more', mine.id, number
            USING ERRCODE = 'TN003', HINT = 'send jobs instead: each is one, with a payload';
    END IF;
    INSERT INTO tenure.job_signal (job_id, id, name, payload, sent_by)
    VALUES (mine.id, coalesce(send_signal.id, gen_random_uuid()), send_signal.name,
            send_signal.payload, left(send_signal.sender, 1024))
    ON CONFLICT (job_id, id) DO NOTHING;
    IF NOT FOUND THEN
        result := 'repeated';
        RETURN;
    END IF;
    PERFORM tenure.note_action(
        'signal', 'job', jsonb_build_object('ids', jsonb_build_array(mine.id), 'signal',
                                            send_signal.name), 1, sender, note)
    WHERE note IS NOT NULL;
    result := 'kept';
    IF mine.state NOT IN ('waiting', 'scheduled') OR mine.waits_for_key OR mine.waits_for_jobs THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET state = 'available', run_at = clock_timestamp(), calendar = false
    WHERE j.id = mine.id AND EXISTS (
        SELECT FROM tenure.job_wait w
        WHERE w.job_id = mine.id AND w.signal = send_signal.name);
    IF FOUND THEN
        PERFORM tenure.call_lanes(ARRAY[mine.id]);
        result := 'woken';
        queue := mine.queue;
    END IF;
END $$;

-- The same to the job of a key: the newest that is not out of date.
CREATE OR REPLACE FUNCTION tenure.send_signal_to_key(
    kind text, key text, name text, payload jsonb, id uuid, sender text,
    note jsonb DEFAULT NULL, OUT job_id uuid, OUT result text, OUT queue text)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM FROM tenure.subject_lock s
    WHERE s.kind = send_signal_to_key.kind AND s.key = send_signal_to_key.key FOR NO KEY UPDATE;
    PERFORM tenure.require_current_view(
        ARRAY[send_signal_to_key.kind], ARRAY[send_signal_to_key.key]);
    SELECT j.id INTO job_id FROM tenure.job j
    CROSS JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s
    WHERE j.kind = send_signal_to_key.kind AND j.key = send_signal_to_key.key
      AND j.generation >= greatest(s.floor, s.committed + 1)
    ORDER BY j.generation DESC LIMIT 1;
    IF job_id IS NULL THEN
        PERFORM tenure.check_name('the name of a signal', send_signal_to_key.name, 128);
        result := 'unknown';
        RETURN;
    END IF;
    SELECT s.result, s.queue INTO result, queue FROM tenure.send_signal(
        job_id, send_signal_to_key.name, send_signal_to_key.payload, send_signal_to_key.id,
        send_signal_to_key.sender, send_signal_to_key.note) AS s;
END $$;

CREATE OR REPLACE FUNCTION tenure.most_signals() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 1000 $$;

-- For other languages: a signal to a job, by name. With `notify` the commit itself wakes a worker,
-- as in `tenure.enqueue`, at the same price; left out, it is done where nothing was written before
-- in the transaction.
CREATE OR REPLACE FUNCTION tenure.signal(
    job uuid, name text, payload jsonb DEFAULT NULL, notify boolean DEFAULT NULL,
    id uuid DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    is_first CONSTANT boolean := pg_current_xact_id_if_assigned() IS NULL;
    answer   record;
BEGIN
    SELECT * INTO answer FROM tenure.send_signal(
        signal.job, signal.name, signal.payload, signal.id, session_user::text);
    IF answer.queue IS NOT NULL AND coalesce(signal.notify, is_first) THEN
        PERFORM pg_notify('tenure_available', answer.queue);
    END IF;
    RETURN answer.result;
END $$;

-- The same to the job of a key.
CREATE OR REPLACE FUNCTION tenure.signal_key(
    kind text, key text, name text, payload jsonb DEFAULT NULL, notify boolean DEFAULT NULL,
    id uuid DEFAULT NULL) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    is_first CONSTANT boolean := pg_current_xact_id_if_assigned() IS NULL;
    answer   record;
BEGIN
    SELECT * INTO answer FROM tenure.send_signal_to_key(
        signal_key.kind, signal_key.key, signal_key.name, signal_key.payload, signal_key.id,
        session_user::text);
    IF answer.queue IS NOT NULL AND coalesce(signal_key.notify, is_first) THEN
        PERFORM pg_notify('tenure_available', answer.queue);
    END IF;
    RETURN answer.result;
END $$;
