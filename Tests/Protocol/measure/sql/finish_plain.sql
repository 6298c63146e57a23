-- Finishes 100 running jobs whose ids stand in measure.batch, without a trace.
SELECT nextval('measure.next') AS n \gset
SELECT ids::text AS ids, fences::text AS fences FROM measure.batch WHERE n = :n \gset
DELETE FROM tenure.job j USING unnest(:ids::uuid[], :fences::bigint[]) AS m (id, fence)
WHERE j.id = m.id AND j.fence = m.fence;
