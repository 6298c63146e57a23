-- What the product forgets: bites of rows that are older than somebody wants them kept.
--
-- Why: workers read and write these tables, and delete nothing of them but what is too old; so they
-- get functions with a least age, and no right to delete.
-- Locks: the rows of checks, skipping those that are locked; their visits.

-- Forgets checks that ended so long ago, with what they visited and found; one whose end was never
-- noted a month later at the earliest. The last check of a site that is watched stays.
CREATE OR REPLACE FUNCTION content.forget_checks(kept interval, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    old    uuid[];
    gone   bigint := 0;
    more   bigint;
BEGIN
    PERFORM content.check_age(kept);
    old := array(
        SELECT r.id FROM content.site_check r
        WHERE r.started_at < content.now() - kept
          AND coalesce(r.finished_at, r.cancelled_at, r.started_at + greatest(kept, '30 days'))
              < content.now() - kept
          AND NOT EXISTS (SELECT FROM content.site s WHERE s.last_check = r.id)
        ORDER BY r.started_at LIMIT 100 FOR UPDATE SKIP LOCKED);
    DELETE FROM content.check_target v
    WHERE v.ctid = ANY (array(
        SELECT t.ctid FROM content.check_target t WHERE t.check_id = ANY (old) LIMIT most));
    GET DIAGNOSTICS gone = ROW_COUNT;
    -- With all of its findings at once: who compares checks sees all of them, or no check.
    WITH over AS (
        DELETE FROM content.site_check r
        WHERE r.id = ANY (old)
          AND NOT EXISTS (SELECT FROM content.check_target v WHERE v.check_id = r.id)
        RETURNING r.id
    ), findings AS (
        DELETE FROM content.check_finding f USING over o WHERE f.check_id = o.id
    ), places AS (
        DELETE FROM content.check_place p USING over o WHERE p.check_id = o.id
    ), mail AS (
        DELETE FROM content.check_mail m USING over o WHERE m.check_id = o.id
    )
    SELECT count(*) INTO more FROM over;
    RETURN gone + more;
END $$;

-- Refuses an age at which somebody may still be at work with what is forgotten.
CREATE OR REPLACE FUNCTION content.check_age(kept interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (kept >= interval '1 hour') IS NOT TRUE THEN
        RAISE EXCEPTION 'what is kept for % is too young to be forgotten', kept
            USING ERRCODE = 'TN003', HINT = 'give an hour at least';
    END IF;
END $$;
