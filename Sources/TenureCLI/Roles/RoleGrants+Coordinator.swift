extension RoleGrants {
    /// A coordinator process: leads, fires schedules, keeps house. It writes no table: what it
    /// forgets, it forgets by functions that have bounds.
    static let coordinator = RoleGrants(
        """
<<<<<<< HEAD
        SELECT ON content.migration, tenure.migration
        SELECT (job_id) ON tenure.attempt_error_default
        SELECT (id) ON tenure.job_history_discarded_default, tenure.job_history_ended_default
        SELECT ON tenure.job, tenure.job_progress, tenure.kind, tenure.kind_death, \
            tenure.lane, tenure.lane_hold, tenure.lane_holders, tenure.leader, tenure.queue, \
            tenure.schedule, tenure.session, tenure.subject
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.beat, \
            tenure.close_session, tenure.declare_dead, tenure.drop_idle_lanes, \
            tenure.drop_idle_subjects, tenure.drop_progress, tenure.drop_runs, \
            tenure.enqueue_jobs, tenure.enqueue_many, tenure.expire_jobs, tenure.find_jobs, \
            tenure.fire_schedules, tenure.follow_clock, tenure.forget_history, \
            tenure.forget_sessions, tenure.forgetful_queues, tenure.is_shut, tenure.lead, \
            tenure.open_session, tenure.prepare_history, tenure.put_schedule, \
            tenure.recall_lanes, tenure.reclaim_runs, tenure.settle_runs, tenure.start_run, \
            tenure.subject_of, tenure.supersede, tenure.trip_breakers
=======
        SELECT ON content.migration, tenure.attempt_error_default, \
            tenure.job_history_discarded_default, tenure.job_history_ended_default, \
            tenure.migration, tenure.queue
        INSERT ON tenure.attempt_error, tenure.secret_field
        SELECT (finished_at, generation, id, kind, outcome), INSERT ON tenure.job_history
        SELECT, INSERT, UPDATE (paused_at, paused_by, reason) ON tenure.kind
        SELECT, INSERT, DELETE ON tenure.kind_death
        SELECT, UPDATE (back, found_at, found_by, steps) ON tenure.clock
        SELECT, INSERT, DELETE, UPDATE (attempt, calendar, claimed_at, created_at, fence, \
            generation, hold_reason, hold_version, lane, not_after, payload, \
            payload_version, priority, refunds, run_at, session_id, state, trace, \
            waits_for_key) ON tenure.job
        SELECT, INSERT, DELETE, UPDATE (done, note, rate, reported_at, total) ON \
            tenure.job_progress
        SELECT, INSERT, DELETE, UPDATE (job_id) ON tenure.given_id
        SELECT, INSERT, DELETE, UPDATE (set_by) ON tenure.lane
        SELECT, INSERT, DELETE, UPDATE (at) ON tenure.lane_call
        SELECT, INSERT, DELETE, UPDATE (until) ON tenure.lane_hold
        SELECT, INSERT, DELETE, UPDATE (next_at, turn_at) ON tenure.lane_holders
        SELECT, INSERT, UPDATE (session, since, term) ON tenure.leader
        SELECT, INSERT, DELETE, UPDATE (ended_at) ON tenure.run
        SELECT, INSERT, UPDATE (cron, every, fired, fired_at, job, next_at, zone) ON \
            tenure.schedule
        SELECT, INSERT, DELETE, UPDATE (beat, beaten_at, died, ended_at, ended_by, \
            reclaimed_at) ON tenure.session
        SELECT, INSERT, DELETE, UPDATE (committed, floor, issued, touched_at) ON \
            tenure.subject
        SELECT, INSERT, DELETE, UPDATE (made_at) ON tenure.subject_lock
        USAGE ON SEQUENCE tenure.generation
        EXECUTE ON FUNCTION tenure.drop_given_ids, tenure.start_run, tenure.check_json, \
            tenure.enqueue_given, tenure.enqueue_many, tenure.enqueue_series, \
            tenure.fold_series, tenure.harmless_json, tenure.issue_in_order, \
            tenure.note_given, tenure.skip_superseded, tenure.take_ids, tenure.tell_series, \
            tenure.apply_decisions, tenure.beat, tenure.begin_subjects, tenure.call_lanes, \
            tenure.change_lanes, tenure.check_jobs, tenure.clear_pending, \
            tenure.close_session, tenure.cron_field, tenure.cron_next, tenure.deaths_in_turn, \
            tenure.decide, tenure.declare_dead, tenure.drop_idle_lanes, \
            tenure.drop_idle_subjects, tenure.drop_partitions, tenure.drop_runs, \
            tenure.end_pending, tenure.end_runs(tenure.ending[], boolean), \
            tenure.end_runs(jsonb, boolean), tenure.enqueue_jobs, tenure.enqueue_new, \
            tenure.enqueue_turn, tenure.enter_runs, tenure.expire_jobs, tenure.expiry_reason, \
            tenure.find_kept, tenure.fire_schedules, tenure.follow_clock, tenure.heed_expiry, \
            tenure.heed_runs, tenure.insert_jobs, tenure.is_shut, tenure.issue_generations, \
            tenure.lead, tenure.lock_or_make_subjects, tenure.lock_subjects, \
            tenure.make_lanes, tenure.make_partitions, tenure.max_refunds, \
            tenure.move_superseded, tenure.new_id, tenure.note_deaths, tenure.note_progress, \
            tenure.open_session, tenure.put_schedule, tenure.read_cron, tenure.read_jobs, \
            tenure.read_verdicts, tenure.recall_lanes, tenure.reclaim_runs, \
            tenure.release_successors, tenure.require_current_view, \
            tenure.require_durable_commit, tenure.retire_superseded, tenure.run_ending, \
            tenure.settle_runs, tenure.subject_of, tenure.trip_breakers, \
            tenure.update_pending, tenure.wall_time
>>>>>>> c2f3f09d3296176359949eb16ebe53d6e8302b42
        """)
}
