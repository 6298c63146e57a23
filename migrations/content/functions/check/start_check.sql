-- How a check begins: what a program without rights on the tables may do here.
--
-- Why: as for jobs (docs/decisions/roles.md). Whoever may write targets and visits could say of
-- any URL that it is broken, or read what others check.
-- Locks: targets in the order of their ids, against deletion alone.

-- Notes a check that begins, with what it visits first; the caller's transaction starts its batch
-- of jobs. Targets that are gone are made, until all are held.
CREATE OR REPLACE FUNCTION content.start_check(
    check_id uuid, kind text, start text, folder text, options jsonb, hrefs text[],
    follows boolean[], modes text[], codes text[], lists text[], lines integer[])
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
    IF (start_check.kind IN ('site', 'links') AND modes <@ '{page, target}') IS NOT TRUE THEN
        RAISE EXCEPTION 'a check has a wrong kind or mode' USING ERRCODE = 'TN003',
            HINT = 'use site or links, and page or target';
    END IF;
    INSERT INTO content.site_check (id, kind, start, folder, options)
    VALUES (check_id, start_check.kind, start_check.start, start_check.folder, start_check.options);
    LOOP
        PERFORM FROM (
            SELECT DISTINCT content.digest(u.href) AS id FROM unnest(hrefs) AS u (href)
            ORDER BY 1) AS g
        LEFT JOIN LATERAL (
            SELECT t.id FROM content.target t WHERE t.id = g.id FOR KEY SHARE) AS t ON true
        WHERE t.id IS NULL;
        EXIT WHEN NOT FOUND;
        INSERT INTO content.target (id, href)
        SELECT g.id, g.href FROM (
            SELECT DISTINCT content.digest(u.href) AS id, u.href
            FROM unnest(hrefs) AS u (href)) AS g
        WHERE NOT EXISTS (SELECT FROM content.target t WHERE t.id = g.id)
        ORDER BY g.id
        ON CONFLICT DO NOTHING;
    END LOOP;
    INSERT INTO content.check_target (
        check_id, target, depth, hops, follows, mode, state, code, given_in, given_line)
    SELECT start_check.check_id, v.id, 0, 0, v.follows, v.mode,
           CASE WHEN v.code IS NULL THEN 'unchecked' ELSE 'skipped' END, v.code, v.list, v.line
    FROM (SELECT content.digest(u.href) AS id, u.follows, u.mode, u.code, u.list, u.line
          FROM unnest(hrefs, start_check.follows, modes, codes, lists, lines)
               AS u (href, follows, mode, code, list, line)) AS v
    ORDER BY v.id
    ON CONFLICT DO NOTHING;
END $$;
