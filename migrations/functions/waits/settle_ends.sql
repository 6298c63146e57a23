-- Lets jobs go that waited for others, and cancels those whose others were not completed; once the
-- ends are committed, or as the last thing that their transaction does. `ended` are jobs that have
-- ended; null: whatever is left, by crashes, and by ends that nobody settled. Looks at so many
-- edges at most, and a hundred times at ends: each link of a chain costs more than the one before
-- it in the same transaction, and what is cancelled stays locked until it is over. Returns what
-- became of waiters, `released` or `cancelled`; and rows without an id: `more` where there is more
-- to settle at once (call without ids, in another transaction), `later` where a waiter was locked,
-- and is looked at again in a second.
--
-- One that has another to wait for yet is not locked, and its end is settled: whoever ends that
-- other sees this end, which is committed. So many that end at once don't meet at the one that
-- waits for all. What was ended in this transaction itself nobody else sees: such an end stays to
-- be settled, unless it lets its waiters go at once.
--
-- What is lost of this by a crash is done again: nothing here makes a commit durable but the end of
-- a waiter that is cancelled.
--
-- Waits for nobody: an end that somebody else settles is left to him; a waiter that is locked just
-- then, or whose key is, is left for another round, in a second, and holds up no other.
CREATE OR REPLACE FUNCTION tenure.settle_ends(
    ended uuid[] DEFAULT NULL, at_most integer DEFAULT 1000)
RETURNS TABLE (id uuid, became text, queue text, batch_id uuid)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
-- Statements over arrays would be planned anew at each call, for more than they cost.
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    -- Nothing was ended here: whatever is to be settled is committed.
    is_after boolean := pg_current_xact_id_if_assigned() IS NULL;
    room     integer := greatest(1, coalesce(at_most, 1000));
    at_once  integer := least(500, room);
    rounds   integer := 100;
    ends     tenure.job_end[];
    waiters  tenure.waiter[];
    settled  record;
    doomed   uuid[];
    is_later boolean := false;
BEGIN
    -- Which edges there are, and which ends, is seen by a fresh look alone.
    PERFORM tenure.require_read_committed('a look at what has ended');
    IF ended IS NOT NULL THEN
        -- What their ends have decided of keys.
        ended := ended || array(
            SELECT w.id FROM tenure.key_wait w WHERE w.decided_by = ANY (ended));
    END IF;
    WHILE room > 0 AND rounds > 0 LOOP
        ends := tenure.lock_ends(ended, at_once);
        EXIT WHEN ends = '{}';
        BEGIN
            waiters := tenure.find_waiters(ends, room);
            settled := tenure.settle_waiters(ends, waiters, is_after);
            doomed := settled.doomed;
            IF tenure.move_on(ends, waiters, settled.unsure, cardinality(waiters) = room) THEN
                is_later := true;
            END IF;
            RETURN QUERY SELECT s.* FROM tenure.told_of_waiters(
                doomed, settled.free, settled.queues, settled.batches) AS s;
            IF ended IS NOT NULL THEN
                -- On to those that wait for these in turn.
                ended := doomed || array(
                    SELECT d.id FROM unnest(ended) AS d (id)
                    WHERE d.id NOT IN (SELECT e.id FROM unnest(ends) AS e));
            END IF;
        EXCEPTION WHEN OTHERS THEN
            IF tenure.is_passing(SQLSTATE) THEN
                RAISE;
            END IF;
            -- All together; where that fails each by itself, and then each waiter.
            waiters := '{}';
            doomed := '{}';
            IF at_once = 1 THEN
                settled := tenure.settle_singly(ends, is_after);
                is_later := is_later OR settled.is_later;
                RETURN QUERY SELECT s.* FROM tenure.told_of_waiters(
                    settled.doomed, settled.free, settled.queues, settled.batches) AS s;
                rounds := 0;  -- the rest in another transaction: each of these was one in this
            END IF;
            at_once := 1;
        END;
        -- Nothing is left of these.
        EXIT WHEN ended IS NOT NULL AND cardinality(ends) < at_once AND doomed = '{}'
            AND cardinality(waiters) < room;
        is_after := is_after AND doomed = '{}';
        room := room - cardinality(waiters) - 1;
        rounds := rounds - 1;
    END LOOP;
    IF room <= 0 OR rounds <= 0 THEN
        RETURN QUERY SELECT NULL::uuid, 'more'::text, NULL::text, NULL::uuid;
    END IF;
    IF is_later THEN
        RETURN QUERY SELECT NULL::uuid, 'later'::text, NULL::text, NULL::uuid;
    END IF;
END $$;

-- Cancels those of these waiters that are to be, and lets those go that have nobody left to wait
-- for: first the one, then the other, with their queues and batches. Of whom it is not sure, if
-- they wait still, it says so (`free_waiters`).
CREATE OR REPLACE FUNCTION tenure.settle_waiters(
    ends tenure.job_end[], waiters tenure.waiter[], is_after boolean,
    OUT doomed uuid[], OUT free uuid[], OUT queues text[], OUT batches uuid[], OUT unsure uuid[])
LANGUAGE plpgsql AS $$
DECLARE
    failing uuid[] := array(SELECT DISTINCT f.id FROM unnest(waiters) AS f WHERE f.fails);
    asked   uuid[] := array(
        SELECT DISTINCT f.id FROM unnest(waiters) AS f
        WHERE f.id NOT IN (SELECT i.id FROM unnest(failing) AS i (id)));
    more    record;
BEGIN
    SELECT c.* INTO doomed, queues, batches
    FROM tenure.cancel_failing(ends, waiters, tenure.lock_waiters(failing)) AS c;
    more := tenure.free_waiters(ends, asked, is_after);
    free := more.ids;
    queues := queues || more.queues;
    batches := batches || more.batches;
    unsure := more.unsure || array(
        SELECT f.id FROM unnest(failing) AS f (id)
        WHERE f.id NOT IN (SELECT d.id FROM unnest(doomed) AS d (id)));
END $$;

-- What `settle_ends` says of them.
CREATE OR REPLACE FUNCTION tenure.told_of_waiters(
    doomed uuid[], free uuid[], queues text[], batches uuid[])
RETURNS TABLE (id uuid, became text, queue text, batch_id uuid)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
        SELECT s.id, CASE WHEN s.place <= cardinality(doomed) THEN 'cancelled' ELSE 'released' END,
               s.queue, s.batch_id
        FROM unnest(doomed || free, queues, batches) WITH ORDINALITY AS s (
            id, queue, batch_id, place);
END $$;

-- The same for one end, one waiter after the other, fifty at most; and moves on. One that can
-- neither be let go nor cancelled holds up no other: where there is nobody else left, the end is
-- looked at again in a minute, and seen by the doctor.
CREATE OR REPLACE FUNCTION tenure.settle_singly(
    ends tenure.job_end[], is_after boolean,
    OUT doomed uuid[], OUT free uuid[], OUT queues text[], OUT batches uuid[],
    OUT is_later boolean)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    most    CONSTANT integer := 50;  -- subtransactions; of more than 64 everybody's snapshots tell
    waiters tenure.waiter[];
    one     tenure.waiter;
    settled record;
    unsure  uuid[] := '{}';
    refused uuid[] := '{}';
BEGIN
    doomed := '{}';
    free := '{}';
    -- Not those that have gone before.
    waiters := array(
        SELECT f FROM unnest(tenure.find_waiters(ends, 2147483647)) AS f
        CROSS JOIN LATERAL (
            SELECT FROM tenure.job j
            WHERE j.id = f.id AND j.state = 'waiting' AND j.waits_for_jobs OFFSET 0) AS j
        ORDER BY f.id LIMIT most);
    FOREACH one IN ARRAY waiters LOOP
        BEGIN
            settled := tenure.settle_waiters(ends, ARRAY[one], is_after);
            unsure := unsure || settled.unsure;
            IF one.fails THEN
                queues := settled.queues || queues;
                batches := settled.batches || batches;
            ELSE
                queues := queues || settled.queues;
                batches := batches || settled.batches;
            END IF;
            doomed := settled.doomed || doomed;
            free := free || settled.free;
        EXCEPTION WHEN OTHERS THEN
            IF tenure.is_passing(SQLSTATE) THEN
                RAISE;
            END IF;
            RAISE WARNING 'job % can neither be let go nor cancelled: %', one.id, SQLERRM;
            refused := refused || one.id;
        END;
    END LOOP;
    is_later := tenure.move_on(ends, waiters, unsure, cardinality(waiters) = most, refused);
EXCEPTION WHEN OTHERS THEN
    IF tenure.is_passing(SQLSTATE) THEN
        RAISE;
    END IF;
    UPDATE tenure.job_end e SET again_at = clock_timestamp() + interval '1 min'
    WHERE e.id = ends[1].id AND e.made = ends[1].made;
    doomed := '{}';
    free := '{}';
    is_later := false;
END $$;

-- Cancels those that are to be, each because of the first such end; returns them, with their
-- queues and batches. Who has just let another job wait for one of them has it locked against that,
-- and not against being let go. What each waits for is looked at behind its lock: its id may have
-- been given again, to a job that waits for another.
CREATE OR REPLACE FUNCTION tenure.cancel_failing(
    ends tenure.job_end[], waiters tenure.waiter[], mine uuid[],
    OUT ids uuid[], OUT queues text[], OUT batches uuid[])
LANGUAGE plpgsql AS $$
DECLARE
    because tenure.job_end[];
BEGIN
    IF mine <> '{}' THEN
        SELECT array_agg(l.id ORDER BY l.id), array_agg(l.queue ORDER BY l.id),
               array_agg(l.batch_id ORDER BY l.id), array_agg(e ORDER BY l.id)
        INTO ids, queues, batches, because
        FROM (SELECT f.id, min(f.place) AS place FROM unnest(waiters) AS f
              JOIN unnest(ends) WITH ORDINALITY AS e ON e.ordinality = f.place
              WHERE f.fails AND f.id IN (SELECT m.id FROM unnest(mine) AS m (id))
                AND EXISTS (SELECT FROM tenure.job_after a
                            WHERE a.job_id = f.id AND a.needs = e.id AND a.made = e.made
                              AND NOT a.goes_on OFFSET 0)
              GROUP BY f.id ORDER BY f.id) AS f
        CROSS JOIN LATERAL (
            SELECT j.id, j.queue, j.batch_id FROM tenure.job j
            WHERE j.id = f.id FOR UPDATE SKIP LOCKED) AS l
        CROSS JOIN LATERAL unnest(ends[f.place:f.place]) AS e;
    END IF;
    IF ids IS NULL THEN
        ids := '{}';
        RETURN;
    END IF;
    PERFORM tenure.require_durable_commit(), tenure.cancel_waiters(ids, because);
END $$;

-- Lets those of these go that have nobody left to wait for, with their queues and batches; and says
-- of which it is not sure, if they wait still: those that somebody else has locked, or has changed
-- just then; and where somebody may not see all ends yet (`is_after` is false), those that have
-- another to wait for. Who waits for one job alone, and that is one of these ends, completed, is
-- free without another look.
--
-- A plain one is looked at without its lock, from where it lies: whoever changes it moves it, and
-- then it is not let go. Of a keyed one the subject is locked first, and it is looked at behind
-- its lock.
CREATE OR REPLACE FUNCTION tenure.free_waiters(
    ends tenure.job_end[], asked uuid[], is_after boolean,
    OUT ids uuid[], OUT queues text[], OUT batches uuid[], OUT unsure uuid[])
LANGUAGE plpgsql AS $$
DECLARE
    places tid[];
    free   uuid[];
    plain  uuid[];
    keyed  uuid[];
    over   uuid[];
    mine   uuid[];
    more   record;
BEGIN
    SELECT coalesce(array_agg(j.place) FILTER (WHERE j.key IS NULL), '{}'),
           coalesce(array_agg(j.id) FILTER (WHERE j.key IS NULL AND j.is_free), '{}'),
           coalesce(array_agg(j.id) FILTER (WHERE j.key IS NULL AND NOT j.is_free), '{}'),
           coalesce(array_agg(j.id) FILTER (WHERE j.key IS NOT NULL), '{}')
    INTO places, free, plain, keyed
    FROM unnest(asked) AS a (id) CROSS JOIN LATERAL (
        SELECT j.id, j.ctid AS place, j.key, (
            -- These edges are seen together with the place: it may be an id that was given again.
            SELECT count(*) = 1 AND bool_and((two.needs, two.made) IN (
                SELECT e.id, e.made FROM unnest(ends) AS e WHERE e.outcome = 'completed'))
            FROM (SELECT e.needs, e.made FROM tenure.job_after e
                  WHERE e.job_id = j.id LIMIT 2) AS two) AS is_free
        FROM tenure.job j
        WHERE j.id = a.id AND j.state = 'waiting' AND j.waits_for_jobs OFFSET 0) AS j;
    over := tenure.without_open(plain);
    IF NOT is_after THEN
        unsure := array(SELECT p.id FROM unnest(plain) AS p (id)
                        WHERE p.id NOT IN (SELECT o.id FROM unnest(over) AS o (id)));
    END IF;
    over := free || tenure.without_failed(over);
    SELECT r.* INTO ids, queues, batches FROM tenure.release_waiters(over, places) AS r;
    unsure := unsure || array(SELECT o.id FROM unnest(over) AS o (id)
                              WHERE o.id NOT IN (SELECT f.id FROM unnest(ids) AS f (id)));
    IF keyed <> '{}' THEN
        over := tenure.without_open(keyed);
        mine := tenure.lock_waiters(over);
        more := tenure.let_go(mine);
        ids := ids || more.ids;
        queues := queues || more.queues;
        batches := batches || more.batches;
        unsure := unsure || array(
            SELECT k.id FROM unnest(CASE WHEN is_after THEN over ELSE keyed END) AS k (id)
            WHERE k.id NOT IN (SELECT m.id FROM unnest(mine) AS m (id)));
    END IF;
END $$;
