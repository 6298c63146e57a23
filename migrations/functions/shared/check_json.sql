-- Refuses JSON that the Swift library would refuse: longer than 1 MiB, nested deeper than 64
-- levels, or with a number that PostgreSQL writes out longer than any that the library lets in (64
-- digits at most, up to 1e308). `1e131071` has 131,072 digits in jsonb.
CREATE OR REPLACE FUNCTION tenure.check_json(field text, value jsonb) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    longest CONSTANT integer := 374;
    json    CONSTANT text := value::text;
    size    CONSTANT integer := octet_length(json);
    bytes   bytea;
BEGIN
    IF size <= tenure.harmless_json() THEN
        RETURN;
    ELSIF size > 1048576 THEN
        RAISE EXCEPTION 'the % has % bytes, at most 1048576 are allowed', field, size
            USING ERRCODE = 'TN003', HINT = 'store it elsewhere and enqueue a reference';
    ELSIF jsonb_path_exists(value, 'strict $.**{65}') THEN
        RAISE EXCEPTION 'the % is nested deeper than 64 levels', field
            USING ERRCODE = 'TN003', HINT = 'flatten it';
    ELSIF size > longest THEN
        -- So long a number has digits at two bytes in a row of these: few values are read one by
        -- one.
        bytes := convert_to(json, 'UTF8');
        IF EXISTS (SELECT FROM generate_series(128, length(bytes) - 1, 128) AS b (at)
                   WHERE get_byte(bytes, b.at) BETWEEN 46 AND 57
                     AND get_byte(bytes, b.at - 128) BETWEEN 45 AND 57)
           AND EXISTS (SELECT FROM jsonb_path_query(
                           value, 'strict $.** ? (@.type() == "number")') AS v (number)
                       WHERE length(v.number::text) > longest) THEN
            RAISE EXCEPTION 'the % has a number of more than 64 digits or beyond 1e308', field
                USING ERRCODE = 'TN003', HINT = 'send it as a string';
        END IF;
    END IF;
END $$;

-- So many bytes of JSON text are harmless, whatever they say.
CREATE OR REPLACE FUNCTION tenure.harmless_json() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 128 $$;
