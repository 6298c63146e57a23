-- Some of what has ended since a moment, for statistics of much: pages of history, of each
-- partition its part of `pages`, a quarter of which are for the discarded. One page of each stretch
-- of as many, by chance that is always the same: a fixed step would see the same minute of each
-- day, or the same one of two workers. Each row stands for `weight` rows. The last row has no kind:
-- its weight says how much of the pages was read, and `is_whole` whether that was all, and the
-- failed attempts are few enough to be looked for, too.
CREATE OR REPLACE FUNCTION tenure.some_of_history(since timestamptz, pages integer)
RETURNS TABLE (queue text, kind text, outcome tenure.job_outcome, has_expired boolean,
               waited float8, ran float8, weight float8, is_whole boolean)
LANGUAGE plpgsql STABLE
SET jit = off SET enable_tidscan = on AS $$
DECLARE
    most  CONSTANT integer := greatest(4, least(coalesce(pages, 500), 100000));
    part  record;
    read  bigint := 0;
    there bigint := 0;
BEGIN
    FOR part IN SELECT * FROM tenure.pages_of_history(since, most) LOOP
        read := read + part.taken;
        there := there + part.count;
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
            FROM (SELECT $1 + floor((n + (hashint8extended(n, %s) & 1048575) / 1048576.0::float8)
                                    * $3 / $2)::bigint AS page
                  FROM generate_series(0, $2 - 1) AS n) AS p
            CROSS JOIN LATERAL (
                SELECT h.queue, h.kind, h.outcome, h.reason, h.run_at, h.created_at,
                       h.claimed_at, h.finished_at
                FROM ONLY %s h
                WHERE h.ctid >= format('(%%s,0)', p.page)::tid
                  AND h.ctid < format('(%%s,0)', p.page + 1)::tid OFFSET 0) AS h
            WHERE h.finished_at > $4 AND h.finished_at < clock_timestamp() + interval '1 day'
            $query$, part.history::oid::bigint, part.history)
            USING part.first, part.taken, part.count, since;
    END LOOP;
    weight := CASE WHEN there = 0 THEN 1 ELSE read::float8 / there END;
    is_whole := read = there AND tenure.pages_of_errors(since) <= most / 25;
    RETURN NEXT;
END $$;

-- Which pages may hold what has ended since then, and how many of them are to be read. Of a day
-- that is too much to be read as a whole, and in which that moment lies, three quarters are read of
-- where such rows are as a rule, and a quarter of what lies before: there is whoever ends little
-- and fills a page for long, what was changed later, and what found room among older ones.
CREATE OR REPLACE FUNCTION tenure.pages_of_history(since timestamptz, pages integer)
RETURNS TABLE (history regclass, first bigint, count bigint, taken bigint)
LANGUAGE plpgsql STABLE
SET jit = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        WITH parts AS MATERIALIZED (
            SELECT p.*, sum(p.pages) OVER (PARTITION BY p.is_discarded) AS total,
                   CASE WHEN p.is_discarded THEN pages_of_history.pages / 4
                        ELSE pages_of_history.pages - pages_of_history.pages / 4 END AS budget
            FROM (SELECT t.relid, t.pages, t.is_first,
                         starts_with(c.relname, 'job_history_discarded') AS is_discarded
                  FROM tenure.partitions_since('tenure.job_history', since) AS t
                  JOIN pg_class c ON c.oid = t.relid) AS p
        ), cut AS MATERIALIZED (
            SELECT p.*, CASE WHEN p.is_first AND p.total > p.budget
                             THEN tenure.first_page_since(p.relid, p.pages, since)
                             ELSE 0 END AS first
            FROM parts p
        ), stretches AS (
            SELECT c.*, true AS is_head, 0 AS start, c.first AS length FROM cut c
            UNION ALL
            SELECT c.*, false, c.first, c.pages - c.first FROM cut c
        )
        SELECT s.relid, s.start::bigint, s.length, least(s.length, greatest(1, ceil(
                   s.length * s.budget
                   * CASE WHEN s.headed = 0 THEN 1 WHEN s.is_head THEN 0.25 ELSE 0.75 END
                   / s.together)))::bigint
        FROM (SELECT s.*, sum(s.length) OVER (PARTITION BY s.is_discarded, s.is_head) AS together,
                     sum(s.first) OVER (PARTITION BY s.is_discarded) AS headed
              FROM stretches s) AS s
        WHERE s.length > 0;
END $$;

-- The partitions of a table that may hold what was written since then, with their pages, and in
-- which of them that moment lies.
CREATE OR REPLACE FUNCTION tenure.partitions_since(parent regclass, since timestamptz)
RETURNS TABLE (relid regclass, pages bigint, is_first boolean)
LANGUAGE sql STABLE AS $$
    SELECT d.relid, pg_relation_size(d.relid) / current_setting('block_size')::bigint,
           coalesce(d.day = d.first, false)
    FROM (SELECT t.relid, substring(c.relname FROM '_([0-9]{8})$') AS day,
                 to_char(since AT TIME ZONE 'UTC', 'YYYYMMDD') AS first
          FROM pg_partition_tree(parent) t JOIN pg_class c ON c.oid = t.relid
          WHERE t.isleaf) AS d
    WHERE coalesce(d.day >= d.first, true)
$$;

-- How many pages the errors of attempts since then have, and others of those days.
CREATE OR REPLACE FUNCTION tenure.pages_of_errors(since timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(t.pages), 0)::bigint
    FROM tenure.partitions_since('tenure.attempt_error', since) AS t
$$;

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
