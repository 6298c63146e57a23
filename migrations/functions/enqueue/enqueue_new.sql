-- Enqueue: jobs in, one jsonb array at a time, in the caller's transaction.
--
-- A key's jobs are decided upon in steps, each a statement of its own, because a statement does
-- not see what it waited for: lock the subjects and draw the generations under their locks;
-- retire; update what is pending; insert the rest.
-- Locks: given ids sorted, then subjects sorted by (kind, key), then the keys' pending jobs by id,
-- then new lanes.

-- Enqueues jobs that have been read; a row for each, in any order, with the job that stands for it
-- now: `enqueued`, `updated` (the pending one took its content) or `kept` (the unfinished one
-- stays, or the id was given before). `entered`: the transaction may add to their batches, as
-- tenure.enter_batches says. `taken`: it has their ids, but for those of these jobs. `linked`: the
-- caller sees to what they wait for, and to their lanes.
CREATE OR REPLACE FUNCTION tenure.enqueue_new(
    news tenure.new_job[], entered boolean DEFAULT false, taken tenure.enqueued[] DEFAULT NULL,
    linked boolean DEFAULT false)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    part     tenure.new_job[];
    at_turn  integer;
    is_long  boolean;
    is_given boolean;
    in_runs  boolean;
    in_lanes boolean;
    in_turns boolean;
    in_waits boolean;
    tagged   boolean;
BEGIN
    PERFORM tenure.require_durable_commit();
    PERFORM tenure.check_jobs(news);
    -- What most jobs don't have is asked for once.
    SELECT bool_or(octet_length(n.payload::text) > tenure.harmless_json()), bool_or(n.is_given),
           bool_or(n.batch_id IS NOT NULL), bool_or(n.lane IS NOT NULL), max(n.turn) > 1,
           bool_or(n.waits IS NOT NULL), bool_or(n.tags IS NOT NULL)
    INTO is_long, is_given, in_runs, in_lanes, in_turns, in_waits, tagged FROM unnest(news) AS n;
    IF is_long THEN
        PERFORM tenure.check_json('payload', n.payload) FROM unnest(news) AS n;
    END IF;
    IF is_given THEN
        RETURN QUERY SELECT e.* FROM tenure.enqueue_given(news, entered, taken) AS e;
        RETURN;
    END IF;
    IF in_lanes THEN
        news := tenure.stand_in_order(news);
    END IF;
    IF in_runs AND NOT entered THEN
        PERFORM tenure.enter_batches(
            array(SELECT DISTINCT n.batch_id FROM unnest(news) AS n WHERE n.batch_id IS NOT NULL));
    END IF;
    IF in_waits AND NOT linked THEN
        RETURN QUERY SELECT e.* FROM tenure.enqueue_linked(news) AS e;
        RETURN;
    END IF;
    -- Jobs without a key come first, as turn 0: they wait for nobody. Those with one come all at
    -- once: later locks of subjects would be out of order.
    FOR at_turn, part IN
        SELECT w.at_turn, array_agg(n) FROM unnest(news) AS n
        CROSS JOIN LATERAL (SELECT least(n.turn, 1)) AS w (at_turn)
        GROUP BY w.at_turn ORDER BY w.at_turn
    LOOP
        IF at_turn = 0 THEN
            PERFORM tenure.insert_jobs(part);
            IF tagged THEN
                PERFORM tenure.write_tags(part, NULL);
            END IF;
            RETURN QUERY SELECT n.ordinal, n.id, n.generation, 'enqueued' FROM unnest(part) AS n;
        ELSIF in_turns THEN
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turns(part) AS e;
        ELSE
            RETURN QUERY SELECT e.* FROM tenure.enqueue_turn(part) AS e;
        END IF;
    END LOOP;
    -- Last and all at once: a new lane's row is a lock too, and has its place in the order.
    IF in_lanes AND NOT linked THEN
        PERFORM tenure.make_lanes(news);
    END IF;
END $$;

-- Enqueues jobs some of which have ids that their callers gave.
CREATE OR REPLACE FUNCTION tenure.enqueue_given(
    news tenure.new_job[], entered boolean, taken tenure.enqueued[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    given   tenure.new_job[] := array(SELECT n FROM unnest(news) AS n WHERE n.is_given);
    rest    tenure.new_job[];
    answers tenure.enqueued[];
BEGIN
    IF NOT entered THEN
        -- What was enqueued before is no reason to refuse it now that its batch is over.
        PERFORM tenure.enter_batches(array_agg(DISTINCT n.batch_id)) FROM unnest(news) AS n
        WHERE n.batch_id IS NOT NULL AND NOT (n.is_given AND EXISTS (
            SELECT FROM tenure.given_id g WHERE g.id = n.id))
        HAVING count(*) > 0;
    END IF;
    IF taken IS NULL THEN
        taken := array(SELECT t FROM tenure.take_ids(
            array(SELECT g.ordinal FROM unnest(given) AS g),
            array(SELECT g.id FROM unnest(given) AS g)) AS t);
    END IF;
    rest := array(SELECT jsonb_populate_record(n, '{"is_given": false}') FROM unnest(news) AS n
                  WHERE n.ordinal NOT IN (SELECT t.ordinal FROM unnest(taken) AS t));
    answers := array(SELECT e FROM tenure.enqueue_new(rest, true) AS e);
    PERFORM tenure.note_given(given, answers);
    IF EXISTS (SELECT FROM unnest(given) AS g WHERE g.waits @> '[{"key": {}}]') THEN
        PERFORM tenure.drop_unused_locks(given);
    END IF;
    RETURN QUERY SELECT t.* FROM unnest(taken) AS t UNION ALL SELECT a.* FROM unnest(answers) AS a;
END $$;
