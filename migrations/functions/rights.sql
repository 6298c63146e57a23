-- Who may call what, before anybody is granted anything: nobody but the owner.
--
-- Why: a role gets EXECUTE on functions and no rights on the tables behind them
-- (docs/decisions/roles.md). Those here run as their owner, with a search path that holds nobody's
-- objects: with the caller's, an operator of his own would stand in the place of `=`. The temporary
-- schema is named, last: unnamed it would come first. What they call runs as their owner, too.
-- A function that is not named here runs as its caller, who has no rights: forgotten means refused.
-- Locks: none that matter.

DO $$
DECLARE
    -- By name, with all of its forms. For producers; for workers; for coordinators; for operators.
    doors  CONSTANT text[] := '{
        add_job, add_jobs, enqueue, enqueue_jobs, enqueue_many, find_jobs, forgetful_queues,
        read_capacity, read_end, batch_progress, send_signal, send_signal_to_key, signal,
        signal_key, start_batch, supersede,
        beat, cancel_job, claim, claim_few, claim_queues, close_session, complete_group,
        declare_dead, end_runs, expire_jobs, finish, finish_chunk, follow_clock, hold_lane,
        hold_run, keep_step, next_due, note_begun, open_session,
        prepare_history, read_ends, read_steps, read_verdicts, reclaim_runs, release_held,
        retire_batch, settle_batches, settle_ends, see_wait, take_signal, take_wait,
        slow_lane, sweep_batches, sweep_claims, sweep_waiting,
        age_lanes, age_queues, cron_next, drop_actions, drop_batches, drop_given_ids,
        drop_idle_lanes, drop_idle_subjects, drop_kept_keys, drop_progress, drop_steps, drop_tags,
        fire_schedules, forget_history, forget_schedules, forget_sessions, index_keys, lead,
        put_schedule, recall_lanes, trip_breakers,
        some_of_history, cancel_batch, delete_job, discard_job, edit_job, forget_job, forget_jobs,
        limit_queue, note_action, operate_jobs, rate_queue,
        release_lane, repeat_jobs, next_ticks, retry_job, set_ageing, set_lane, set_letter}';
    -- The schema may have another name.
    home   CONSTANT regnamespace := (SELECT c.relnamespace FROM pg_class c
                                     WHERE c.oid = 'tenure.job'::regclass);
    name   text;
    forms  regprocedure[];
    form   regprocedure;
BEGIN
    FOREACH name IN ARRAY doors LOOP
        forms := array(SELECT p.oid FROM pg_proc p
                       WHERE p.pronamespace = home AND p.proname = name);
        IF forms = '{}' THEN
            RAISE EXCEPTION 'there is no function % to call', name;
        END IF;
        FOREACH form IN ARRAY forms LOOP
            EXECUTE format(
                'ALTER FUNCTION %s SECURITY DEFINER SET search_path = pg_catalog, pg_temp', form);
        END LOOP;
    END LOOP;
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %s FROM PUBLIC', home);
END $$;
