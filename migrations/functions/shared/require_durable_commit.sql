-- A commit that may be forgotten by a crash is no promise: `off` is raised to `on`, for this
-- transaction. Whoever turns it off again after this call has asked for it
-- (docs/decisions/durable-commit.md).
CREATE OR REPLACE FUNCTION tenure.require_durable_commit() RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
END $$;
