-- Some of what has ended since a moment, for statistics of much: pages of history, evenly chosen,
-- of each partition its part of `pages`, a quarter of which are for the discarded. Of the day in
-- which that moment lies only those from about then on, if they are many: rows lie in the order of
-- their ends, by and large. Each row stands for `weight` rows. The last row has no kind: its weight
-- says how much of the pages was read, and `is_whole` whether none was left out.
CREATE OR REPLACE FUNCTION tenure.some_of_history(since timestamptz, pages integer)
RETURNS TABLE (queue text, kind text, outcome tenure.job_outcome, has_expired boolean,
               waited float8, ran float8, weight float8, is_whole boolean)
LANGUAGE plpgsql STABLE SET jit = off AS $$
DECLARE
    part   record;
    taken  bigint;
    read   bigint := 0;
    there  bigint := 0;
    whole  boolean := true;
BEGIN
    FOR part IN SELECT * FROM tenure.pages_of_history(since, pages) LOOP
        taken := least(part.count, ceil(part.count * least(1, part.share))::bigint);
        read := read + taken;
        there := there + part.count;
        whole := whole AND taken = part.count AND part.first = 0;
        BEGIN
            RETURN QUERY EXECUTE format(
                $query$
                SELECT h.queue, h.kind, h.outcome,
                       coalesce(starts_with(h.reason, 'expired: '), false),
                       CASE WHEN isfinite(h.claimed_at)
                                 AND isfinite(greatest(h.run_at, h.created_at))
                            THEN greatest(0, extract(epoch FROM
                                h.claimed_at - greatest(h.run_at, h.created_at)))::float8 END,
                       CASE WHEN isfinite(h.claimed_at) THEN greatest(0, extract(epoch FROM
                           h.finished_at - h.claimed_at))::float8 END,
                       $3::float8 / $2, true
                FROM generate_series(0, $2 - 1) AS n CROSS JOIN LATERAL (
                    SELECT h.queue, h.kind, h.outcome, h.reason, h.run_at, h.created_at,
                           h.claimed_at, h.finished_at
                    FROM ONLY %s h
                    WHERE h.ctid >= format('(%%s,0)', $1 + n * $3 / $2)::tid
                      AND h.ctid < format('(%%s,0)', $1 + n * $3 / $2 + 1)::tid OFFSET 0) AS h
                WHERE h.finished_at > $4 AND h.finished_at < clock_timestamp() + interval '1 day'
                $query$, part.history) USING part.first, taken, part.count, since;
        EXCEPTION WHEN undefined_table THEN
            NULL;  -- a day that has just been dropped
        END;
    END LOOP;
    weight := CASE WHEN there = 0 THEN 1 ELSE read::float8 / there END;
    is_whole := whole;
    RETURN NEXT;
END $$;

-- Which pages may hold what has ended since then, and how much of them is to be read.
CREATE OR REPLACE FUNCTION tenure.pages_of_history(since timestamptz, pages integer)
RETURNS TABLE (history regclass, first bigint, count bigint, share float8)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    day   CONSTANT text := to_char(since AT TIME ZONE 'UTC', 'YYYYMMDD');
    found jsonb := '[]';
    part  record;
BEGIN
    FOR part IN
        SELECT t.relid AS history, pg_relation_size(t.relid)
                   / current_setting('block_size')::bigint AS pages,
               substring(c.relname FROM '_([0-9]{8})$') = day AS is_first,
               starts_with(c.relname, 'job_history_discarded') AS is_discarded
        FROM pg_partition_tree('tenure.job_history') t JOIN pg_class c ON c.oid = t.relid
        WHERE t.isleaf AND coalesce(substring(c.relname FROM '_([0-9]{8})$') >= day, true)
    LOOP
        found := found || jsonb_build_object(
            'history', part.history, 'discarded', part.is_discarded,
            'first', CASE WHEN part.is_first AND part.pages > pages / 4
                          THEN tenure.first_page_since(part.history, part.pages, since) ELSE 0 END,
            'pages', part.pages);
    END LOOP;
    RETURN QUERY
        SELECT f.history, f.first, f.count, CASE WHEN f.discarded THEN pages / 4
                                                 ELSE pages - pages / 4 END::float8 / f.total
        FROM (SELECT f.history, f.first, f.pages - f.first AS count, f.discarded,
                     sum(f.pages - f.first) OVER (PARTITION BY f.discarded) AS total
              FROM jsonb_to_recordset(found) AS f (
                  history regclass, first bigint, pages bigint, discarded boolean)) AS f
        WHERE f.count > 0;
END $$;

-- The first page of a partition that has what has ended since then, and a few before it: whoever
-- ends little fills a page for long.
CREATE OR REPLACE FUNCTION tenure.first_page_since(
    history regclass, pages bigint, since timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
    low    bigint := 0;
    high   bigint := pages;
    middle bigint;
    is_old boolean;
BEGIN
    WHILE low < high LOOP
        middle := (low + high) / 2;
        EXECUTE format(
            'SELECT max(h.finished_at) <= $1 FROM ONLY %s h
             WHERE h.ctid >= format(''(%%s,0)'', $2)::tid
               AND h.ctid < format(''(%%s,0)'', $2 + 1)::tid', history)
            INTO is_old USING since, middle;
        IF is_old THEN
            low := middle + 1;
        ELSE
            high := middle;  -- an empty one, too
        END IF;
    END LOOP;
    RETURN greatest(0, low - 16);
END $$;
