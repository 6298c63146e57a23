-- Kinds that are paused, by an operator or because they kill the processes that run them.
--
-- Why: a queue is where jobs wait, a kind is the code they run. Code that brings its process down
-- takes the runs of all other kinds with it, again and again, until its jobs' attempts are spent.
-- Who reclaims a dead session's runs notes whose they were; a kind that has died too often in a
-- row, with no success in between, is paused (docs/decisions/breaker.md).
-- Locks: the kind alone. Deaths are only added, and taken away by one sweep at a time.

-- Pauses the kinds that died at least so often in a row within that time, without a success in
-- between; returns them. Where several were in the same processes the most suspicious one is
-- paused, and its deaths count for no other: most deaths, then most of them alone. Reads history
-- once for a kind that has come so far, and no job is locked meanwhile.
CREATE OR REPLACE FUNCTION tenure.trip_breakers(most integer, within interval)
RETURNS TABLE (kind text, reason text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    suspect   record;
    proven_at timestamptz;
BEGIN
    IF NOT EXISTS (SELECT FROM tenure.kind_death d)
       OR NOT tenure.try_turn('trip_breakers') THEN
        RETURN;
    END IF;
    -- What runs where successes leave no trace may succeed there: its deaths elsewhere say nothing.
    DELETE FROM tenure.kind_death d
    WHERE d.died_at < clock_timestamp() - within OR d.kind IN (
        SELECT j.kind FROM tenure.job j JOIN tenure.queue q ON q.name = j.queue
        WHERE j.session_id IS NOT NULL AND NOT q.keep_completed);
    LOOP
        SELECT k.kind, t.* INTO suspect
        FROM (SELECT DISTINCT d.kind FROM tenure.kind_death d) AS k
        CROSS JOIN LATERAL tenure.deaths_in_turn(k.kind) AS t
        WHERE t.deaths >= most
          AND NOT EXISTS (SELECT FROM tenure.kind p
                          WHERE p.name = k.kind AND p.paused_at IS NOT NULL)
        ORDER BY t.deaths DESC, t.alone DESC, k.kind LIMIT 1;
        EXIT WHEN NOT FOUND;
        SELECT max(h.finished_at) INTO proven_at FROM tenure.job_history h
        WHERE h.kind = suspect.kind AND h.outcome = 'completed'
          AND h.finished_at > suspect.first_at;
        IF proven_at IS NOT NULL THEN
            DELETE FROM tenure.kind_death d
            WHERE d.kind = suspect.kind AND d.died_at <= proven_at;
            CONTINUE;
        END IF;
        kind := suspect.kind;
        reason := format('%s runs ended with their process within %s min, and none succeeded',
                         suspect.deaths, ceil(extract(epoch FROM within) / 60));
        INSERT INTO tenure.kind AS p (name, paused_at, paused_by, reason)
        VALUES (kind, clock_timestamp(), 'the breaker', reason)
        ON CONFLICT (name) DO UPDATE
        SET paused_at = EXCLUDED.paused_at, paused_by = EXCLUDED.paused_by,
            reason = EXCLUDED.reason;
        DELETE FROM tenure.kind_death d WHERE d.session_id IN (
            SELECT e.session_id FROM tenure.kind_death e WHERE e.kind = suspect.kind);
        RETURN NEXT;
    END LOOP;
END $$;

-- How many of a kind's deaths came one after the other: each run began when the process before it
-- was dead. A machine that goes down with ten workers, or a release that kills them all, is one.
CREATE OR REPLACE FUNCTION tenure.deaths_in_turn(
    of_kind text, OUT deaths integer, OUT alone integer, OUT first_at timestamptz)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    death record;
    last  timestamptz := '-infinity';
BEGIN
    deaths := 0;
    alone := 0;
    FOR death IN
        SELECT max(d.claimed_at) AS claimed_at, max(d.died_at) AS died_at,
               bool_and(d.alone) AS alone
        FROM tenure.kind_death d WHERE d.kind = of_kind
        GROUP BY d.session_id ORDER BY max(d.died_at)
    LOOP
        first_at := coalesce(first_at, death.died_at);
        IF death.claimed_at > last THEN
            deaths := deaths + 1;
            alone := alone + death.alone::integer;
            last := death.died_at;
        END IF;
    END LOOP;
END $$;
