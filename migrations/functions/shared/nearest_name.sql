-- The name that somebody may have meant: for what is refused, beside what is wrong with it. Case,
-- hyphens and the like count for nothing, so that `runAt` is `run_at`, and `berlin` a part of
-- `Europe/Berlin`. Null where none is near.
CREATE OR REPLACE FUNCTION tenure.nearest_name(name text, names text[]) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    longest CONSTANT integer := 64;
    mine    CONSTANT text := regexp_replace(lower(left(name, longest)), '[^a-z0-9]', '', 'g');
    -- In a short name each letter says more.
    most    CONSTANT integer := CASE WHEN length(mine) < 4 THEN 0
                                     WHEN length(mine) < 6 THEN 1
                                     ELSE 2 END;
    nearest text;
BEGIN
    SELECT n.name INTO nearest
    FROM unnest(names) AS n (name)
    CROSS JOIN LATERAL (
        SELECT regexp_replace(lower(n.name), '[^a-z0-9]', '', 'g')) AS p (plain)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN abs(length(p.plain) - length(mine)) <= most
                    THEN tenure.letters_between(mine, p.plain) END) AS d (distance)
    WHERE d.distance <= most OR length(mine) >= 4 AND strpos(p.plain, mine) > 0
    ORDER BY d.distance NULLS LAST, length(n.name), n.name COLLATE "C" LIMIT 1;
    RETURN nearest;
END $$;

-- How many letters have to be added, taken out or changed to make one word of another.
CREATE OR REPLACE FUNCTION tenure.letters_between(one text, other text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    above integer[] := array(SELECT generate_series(0, length(other)));
    line  integer[];
BEGIN
    FOR i IN 1 .. length(one) LOOP
        line := ARRAY[i];
        FOR j IN 1 .. length(other) LOOP
            line[j + 1] := least(
                above[j + 1] + 1, line[j] + 1,
                above[j] + (substr(one, i, 1) <> substr(other, j, 1))::integer);
        END LOOP;
        above := line;
    END LOOP;
    RETURN above[length(other) + 1];
END $$;
