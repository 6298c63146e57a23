-- Finishes 100 running jobs whose ids stand in measure.batch.
SELECT nextval('measure.next') AS n \gset
SELECT ids::text AS ids, fences::text AS fences FROM measure.batch WHERE n = :n \gset
SELECT count(*) FROM tenure.complete_group(:ids::uuid[], :fences::bigint[]);
