-- Letters: jobs that tell of discarded ones, for kinds and queues that have an address for them.
--
-- Why: what is given up for good is somebody's loss, and whoever makes it good should hear of it as
-- surely as the job was lost: by a job, from the transaction that discards, whoever does
-- (docs/decisions/dead-letters.md).
--   * A letter holds all that is known of the job; nobody has to look it up while that is kept.
--   * Of a kind that letters come as, none are written: there is no circle.
--   * One that can't be written costs the discard nothing. It is said in the job's reason.
-- Locks: none. A letter has no key, lane or batch, and nobody knows of it before COMMIT.

-- Writes the letters of jobs that are in history as discarded since this transaction.
CREATE OR REPLACE FUNCTION tenure.write_letters(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    addressed uuid[];
    one       uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM tenure.dead_letter d) THEN
        RETURN;
    END IF;
    addressed := array(
        SELECT h.id FROM tenure.discarded(ids) AS h
        WHERE EXISTS (SELECT FROM tenure.letter_address(h.kind, h.queue)));
    IF addressed = '{}' THEN
        RETURN;
    END IF;
    -- All together; where that fails, each by itself.
    BEGIN
        PERFORM tenure.add_letters(addressed);
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF tenure.is_passing(SQLSTATE) THEN
            RAISE;
        END IF;
    END;
    FOREACH one IN ARRAY addressed LOOP
        BEGIN
            PERFORM tenure.add_letters(ARRAY[one]);
        EXCEPTION WHEN OTHERS THEN
            IF tenure.is_passing(SQLSTATE) THEN
                RAISE;
            END IF;
            UPDATE tenure.job_history p
            SET reason = concat_ws('; ', p.reason, 'its letter was refused: ' || SQLERRM)
            FROM tenure.discarded(ARRAY[one]) AS h
            WHERE p.id = one AND p.outcome = 'discarded' AND p.finished_at = h.finished_at;
        END;
    END LOOP;
END $$;

-- These jobs as they were discarded last: an id may come back.
CREATE OR REPLACE FUNCTION tenure.discarded(ids uuid[]) RETURNS SETOF tenure.job_history
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
    SELECT h.* FROM (SELECT DISTINCT i.id FROM unnest(ids) AS i (id) ORDER BY i.id) AS i
    CROSS JOIN LATERAL (
        SELECT h.* FROM tenure.job_history h WHERE h.id = i.id AND h.outcome = 'discarded'
        ORDER BY h.finished_at DESC LIMIT 1) AS h
$$;

-- Where letters of a kind's jobs in a queue go. No row: nowhere.
CREATE OR REPLACE FUNCTION tenure.letter_address(wanted_kind text, wanted_queue text)
RETURNS SETOF tenure.dead_letter
LANGUAGE sql STABLE AS $$
    SELECT d.* FROM tenure.dead_letter d
    WHERE (d.thing = 'kind' AND d.name = wanted_kind OR d.thing = 'queue' AND d.name = wanted_queue)
      AND NOT EXISTS (SELECT FROM tenure.dead_letter l WHERE l.letter_kind = wanted_kind)
    ORDER BY d.thing LIMIT 1
$$;

-- Writes the letters of these, all or none.
CREATE OR REPLACE FUNCTION tenure.add_letters(ids uuid[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.check_name('the kind of letters', d.letter_kind, 128),
            tenure.check_name('the queue of letters', coalesce(d.letter_queue, h.queue), 128)
    FROM tenure.discarded(ids) AS h
    CROSS JOIN LATERAL tenure.letter_address(h.kind, h.queue) AS d;
    WITH dead AS MATERIALIZED (
        SELECT h.id, h.finished_at, h.queue, h.trace, tenure.new_id() AS letter,
               tenure.letter_of(h) AS payload, d.letter_kind, d.letter_queue, d.priority,
               d.max_attempts, d.payload_version
        FROM tenure.discarded(ids) AS h
        CROSS JOIN LATERAL tenure.letter_address(h.kind, h.queue) AS d
    ), written AS (
        INSERT INTO tenure.job (
            id, parent_id, run_at, state, max_attempts, payload_version, priority, kind, queue,
            payload, trace)
        SELECT d.letter, d.id, clock_timestamp(), 'available', d.max_attempts, d.payload_version,
               d.priority, d.letter_kind, coalesce(d.letter_queue, d.queue), d.payload, d.trace
        FROM dead d
    ), noted AS (
        -- A letter that is discarded may have one, too: whose letter it was, that one's is as well.
        INSERT INTO tenure.job_letter (job_id, letter_id)
        SELECT d.id, d.letter FROM dead d
        UNION ALL
        SELECT l.job_id, d.letter FROM dead d CROSS JOIN LATERAL (
            SELECT l.job_id FROM tenure.job_letter l WHERE l.letter_id = d.id OFFSET 0) AS l
    )
    UPDATE tenure.job_history h SET letter_id = d.letter
    FROM dead d
    WHERE h.id = d.id AND h.id = ANY (ids) AND h.outcome = 'discarded'
      AND h.finished_at = d.finished_at;
END $$;

-- What a letter says: `DeadLetter` in Swift. Texts are cut, and a payload is left out that makes it
-- larger or deeper than a payload may be: so a letter can be run again like any job.
CREATE OR REPLACE FUNCTION tenure.letter_of(past tenure.job_history) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    fits CONSTANT boolean := octet_length(past.payload::text) <= 786432
        AND NOT jsonb_path_exists(past.payload, 'strict $.**{63}');
BEGIN
    RETURN jsonb_build_object('letter', jsonb_strip_nulls(jsonb_build_object(
        'job', past.id, 'kind', past.kind, 'queue', past.queue, 'key', past.key,
        'generation', past.generation, 'lane', past.lane, 'batch', past.batch_id,
        'payloadVersion', past.payload_version, 'attempt', past.attempt,
        'maxAttempts', past.max_attempts, 'runs', past.runs,
        'createdAt', tenure.letter_time(past.created_at),
        'claimedAt', tenure.letter_time(past.claimed_at),
        'discardedAt', tenure.letter_time(past.finished_at),
        'reason', left(past.reason, 4096), 'error', (
            SELECT jsonb_build_object(
                       'attempt', e.attempt, 'failedAt', tenure.letter_time(e.failed_at),
                       'code', left(e.code, 256), 'message', left(e.message, 16384))
            FROM tenure.attempt_error e WHERE e.job_id = past.id
            ORDER BY e.fence DESC LIMIT 1)))
        || CASE WHEN fits THEN jsonb_build_object('payload', past.payload) ELSE '{}' END);
END $$;

-- A time as ISO 8601 has it; one that no calendar has is left out.
CREATE OR REPLACE FUNCTION tenure.letter_time(moment timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN tenure.is_sane(moment)
                THEN to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END
$$;
