-- Claims 100 and finishes them: unkeyed ones together, keyed ones with end_runs.
SELECT coalesce(array_agg(id) FILTER (WHERE key IS NULL), '{}') AS ids,
       coalesce(array_agg(fence) FILTER (WHERE key IS NULL), '{}') AS fences,
       coalesce(jsonb_agg(jsonb_build_object('id', id, 'fence', fence, 'wanted', 'completed'))
                FILTER (WHERE key IS NOT NULL), '[]') AS endings
FROM tenure.claim(:session, 'q', '{k}', :batch) \gset
SELECT count(*) FROM tenure.complete_group(:ids::uuid[], :fences::bigint[]);
\if :keyed
SELECT count(*) FROM tenure.end_runs(:endings::jsonb, false);
\endif
