-- Refuses a session that nobody could watch: whoever holds jobs under a lease of a year keeps them
-- for a year after its death.
CREATE OR REPLACE FUNCTION tenure.check_session(role text, lease interval) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (role IN ('worker', 'coordinator')) IS NOT TRUE THEN
        RAISE EXCEPTION 'the role of a session is "%"', left(coalesce(role, 'null'), 64)
            USING ERRCODE = 'TN003', HINT = 'give worker or coordinator';
    ELSIF (lease BETWEEN interval '1 s' AND '1 h') IS NOT TRUE THEN
        RAISE EXCEPTION 'the lease of a session is %', coalesce(lease::text, 'null')
            USING ERRCODE = 'TN003', HINT = 'give 1 second to 1 hour';
    END IF;
END $$;

-- `secrets` has an array of field names for each kind that has some; `versions` the newest payload
-- version that it reads of each of its kinds, for people (empty: it doesn't say). With `says_begun`
-- the session calls `note_begun` before a handler begins. `letters`: see `declare_letters`.
CREATE OR REPLACE FUNCTION tenure.open_session(
    role text, name text, version text, lease interval, queues text[], kinds text[],
    clock timestamptz DEFAULT NULL, secrets jsonb DEFAULT '{}', says_begun boolean DEFAULT false,
    versions smallint[] DEFAULT '{}', letters jsonb DEFAULT '{}')
RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT tenure.check_session(open_session.role, open_session.lease),
           tenure.check_name('name', open_session.name),
           tenure.check_names('queue', open_session.queues),
           tenure.check_names('kind', open_session.kinds),
           tenure.declare_letters(open_session.letters);

    INSERT INTO tenure.secret_field (kind, field)
    SELECT k.kind, f.field FROM jsonb_each(secrets) AS k (kind, fields)
    CROSS JOIN LATERAL jsonb_array_elements_text(k.fields) AS f (field)
    ORDER BY k.kind, f.field
    ON CONFLICT DO NOTHING;

    INSERT INTO tenure.session (role, name, version, lease, queues, kinds, clock_ahead, says_begun,
                                versions)
    VALUES (open_session.role, open_session.name, open_session.version, open_session.lease,
            open_session.queues, open_session.kinds, clock - clock_timestamp(),
            open_session.says_begun, open_session.versions)
    RETURNING id
$$;
