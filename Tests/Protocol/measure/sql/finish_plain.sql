-- Finishes 100 running jobs whose ids stand in measure.batch, without a trace.
SELECT ids::text AS ids, fences::text AS fences FROM measure.batch WHERE n = nextval('measure.next') \gset
DELETE FROM tenure.job j USING unnest(:ids::uuid[], :fences::bigint[]) AS m (id, fence)
WHERE j.id = m.id AND j.fence = m.fence;
