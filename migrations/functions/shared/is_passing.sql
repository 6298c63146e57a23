-- Whether an error says something of the moment or of who calls, and nothing of the rows.
CREATE OR REPLACE FUNCTION tenure.is_passing(code text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT left(code, 2) IN ('08', '25', '40', '53', '55', '57', '58', 'XX') OR code = '42501'
$$;
