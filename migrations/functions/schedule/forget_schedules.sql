-- Removes the schedules of an owner that are not among those which its code declares. Whose a
-- schedule is stands in its job. Jobs that they have enqueued go on.
-- Locks: those rows of `schedule`, by name, with nothing else held: two coordinators of one owner
-- may start at once.
CREATE OR REPLACE FUNCTION tenure.forget_schedules(owner text, declared text[])
RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    names text[] := array(
        SELECT s.name FROM tenure.schedule s
        WHERE s.job ->> 'owner' = forget_schedules.owner
          AND s.name <> ALL (forget_schedules.declared)
        ORDER BY s.name FOR UPDATE);
BEGIN
    RETURN QUERY
    DELETE FROM tenure.schedule s WHERE s.name = ANY (names)
    RETURNING s.name;
END $$;
