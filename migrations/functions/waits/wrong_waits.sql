-- What is wrong with what a job waits for, and the remedy; null: nothing.
CREATE OR REPLACE FUNCTION tenure.wrong_waits(waits jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    odd jsonb;
BEGIN
    IF jsonb_typeof(waits) <> 'array' THEN
        RETURN format('waits are %s; give an array of {"completed": id}, {"ended": id} or '
                      '{"key": {"kind": kind, "key": key}}', jsonb_typeof(waits));
    ELSIF jsonb_array_length(waits) > tenure.most_predecessors() THEN
        RETURN format('waits are %s; give at most %s', jsonb_array_length(waits),
                      tenure.most_predecessors());
    END IF;
    SELECT w.wait INTO odd FROM jsonb_array_elements(waits) AS w (wait)
    WHERE CASE WHEN jsonb_typeof(w.wait -> 'key') = 'object'
               THEN tenure.is_key_wait(w.wait)
               WHEN jsonb_typeof(w.wait) = 'object' THEN (
              SELECT count(*) = 1 AND bool_and(e.name IN ('completed', 'ended') AND e.id ~*
                  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
              FROM jsonb_each_text(w.wait) AS e (name, id)) END IS NOT TRUE LIMIT 1;
    RETURN 'wait is ' || left(odd::text, 128)
        || '; give {"completed": id} or {"ended": id}, with the id of a job, or '
           '{"key": {"kind": kind, "key": key}}';
END $$;

-- Whether a wait for a key names one, and nothing else.
CREATE OR REPLACE FUNCTION tenure.is_key_wait(wait jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN wait - 'key' = '{}' AND (wait -> 'key') - '{kind, key}'::text[] = '{}'
       AND jsonb_typeof(wait #> '{key,kind}') = 'string'
       AND jsonb_typeof(wait #> '{key,key}') = 'string'
       AND tenure.wrong_name(wait #>> '{key,kind}', 128) IS NULL
       AND tenure.wrong_name(wait #>> '{key,key}', 1024) IS NULL;
END $$;

-- Null where there is nothing to wait for: such a job is like any other.
CREATE OR REPLACE FUNCTION tenure.some_waits(waits jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN waits NOT IN ('[]', 'null') THEN waits END
$$;

CREATE OR REPLACE FUNCTION tenure.most_predecessors() RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT 10000 $$;

-- The keys that waits name, and those of the unfinished jobs that they name.
CREATE OR REPLACE FUNCTION tenure.keys_of_waits(waits jsonb)
RETURNS TABLE (kind text, key text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    IF jsonb_typeof(waits) = 'array' AND tenure.wrong_waits(waits) IS NULL THEN
        RETURN QUERY
        SELECT j.kind, j.key FROM jsonb_array_elements(waits) AS w (wait)
        CROSS JOIN LATERAL (
            SELECT j.kind, j.key FROM tenure.job j
            WHERE j.id = coalesce(w.wait ->> 'completed', w.wait ->> 'ended')::uuid OFFSET 0) AS j
        WHERE j.key IS NOT NULL
        UNION ALL
        SELECT w.wait #>> '{key,kind}', w.wait #>> '{key,key}'
        FROM jsonb_array_elements(waits) AS w (wait) WHERE w.wait ? 'key';
    END IF;
END $$;
