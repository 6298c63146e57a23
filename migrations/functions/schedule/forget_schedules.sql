-- Removes the schedules of an owner that are not among those which its code declares. Whose a
-- schedule is stands in its job. Jobs that they have enqueued go on.
-- Locks: those rows of `schedule`, with nothing else held.
CREATE OR REPLACE FUNCTION tenure.forget_schedules(owner text, declared text[])
RETURNS SETOF text
LANGUAGE sql AS $$
    DELETE FROM tenure.schedule s
    WHERE s.job ->> 'owner' = forget_schedules.owner
      AND s.name <> ALL (forget_schedules.declared)
    RETURNING s.name
$$;
