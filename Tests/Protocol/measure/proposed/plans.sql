-- A function that is called with few jobs is planned anew at each call, since a plan for an array
-- of one looks cheaper than a general one: half of a single enqueue. And a plan made while `job`
-- was empty reads all of it later. `claim` and `end_runs` have the second half already.
ALTER FUNCTION tenure.enqueue(text, jsonb, text, text, text, integer, timestamptz, interval, integer,
                              boolean, interval, text, uuid, boolean)
    SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION tenure.enqueue_jobs(jsonb)
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off;
ALTER FUNCTION tenure.claim(bigint, text, text[], integer, timestamptz[], uuid[])
    SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION tenure.end_runs(tenure.ending[], boolean) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION tenure.complete_runs(uuid[], bigint[]) SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION tenure.beat(bigint, uuid[], bigint[], bigint, jsonb)
    SET plan_cache_mode = force_generic_plan;
ALTER FUNCTION tenure.finish(uuid, bigint, text, jsonb, jsonb, text, interval)
    SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off;
ALTER FUNCTION tenure.cancel_job(uuid, text)
    SET enable_seqscan = off SET enable_bitmapscan = off;
ALTER FUNCTION tenure.drop_idle_subjects(interval, integer)
    SET enable_hashjoin = off SET enable_mergejoin = off;
