-- Whether a name shows as it is, in one line: no control character, no line or paragraph separator,
-- no mark that turns the direction of writing. `JobLimits` in Swift has the same list.
CREATE OR REPLACE FUNCTION tenure.is_plain(name text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT name !~ '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]'
$$;

-- Refuses a name that doesn't, or that is longer than a name may be.
CREATE OR REPLACE FUNCTION tenure.check_name(field text, name text, longest integer DEFAULT 1024)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    wrong CONSTANT text := tenure.wrong_name(name, longest);
BEGIN
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '% %', field, wrong USING ERRCODE = 'TN003';
    END IF;
END $$;

CREATE OR REPLACE FUNCTION tenure.check_names(field text, names text[], longest integer DEFAULT 128)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tenure.check_name(field, n.name, longest) FROM unnest(names) AS n (name);
END $$;

-- What is wrong with a name, and the remedy; null: nothing.
CREATE OR REPLACE FUNCTION tenure.wrong_name(name text, longest integer) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    letter text;
BEGIN
    IF name IS NULL THEN
        RETURN format('is null; give 1 to %s bytes', longest);
    ELSIF octet_length(name) NOT BETWEEN 1 AND longest THEN
        RETURN format('has %s bytes; give 1 to %s', octet_length(name), longest);
    ELSIF NOT tenure.is_plain(name) THEN
        SELECT l.letter INTO letter FROM regexp_split_to_table(name, '') AS l (letter)
        WHERE NOT tenure.is_plain(l.letter) LIMIT 1;
        RETURN format('has the control character U+%s; remove it',
                      lpad(upper(to_hex(ascii(letter))), 4, '0'));
    END IF;
    RETURN NULL;
END $$;
