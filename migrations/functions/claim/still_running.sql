-- How many of a limit's holders still run: exact, because only the holder of the limit's row
-- adds to them.
CREATE OR REPLACE FUNCTION tenure.still_running(ids uuid[], fences bigint[])
RETURNS TABLE (running_ids uuid[], running_fences bigint[])
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT coalesce(array_agg(h.id), '{}'), coalesce(array_agg(h.fence), '{}')
    FROM unnest(ids, fences) AS h (id, fence)
    JOIN tenure.job j ON j.id = h.id AND tenure.runs_as(j, h.fence);
END $$;
