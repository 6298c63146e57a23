extension RoleGrants {
    /// A coordinator process: leads, fires schedules, keeps house. It writes no table: what it
    /// forgets, it forgets by functions that have bounds.
    static let coordinator = RoleGrants(
        """
        SELECT ON content.function_set, content.migration, tenure.function_set, \
            tenure.migration
        SELECT (job_id) ON tenure.attempt_error_default
        SELECT (id) ON tenure.job_history_discarded_default, tenure.job_history_ended_default
        SELECT ON tenure.folded_run, tenure.job_seen, tenure.run_seen, \
            tenure.dead_letter, tenure.job, tenure.job_progress, tenure.job_wait, tenure.kind, \
            tenure.kind_death, \
            tenure.lane, tenure.lane_hold, tenure.lane_holders, tenure.leader, tenure.queue, \
            tenure.queue_holders, \
            tenure.schedule, tenure.session, tenure.session_begun, tenure.subject
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.age_lanes, tenure.age_queues, \
            tenure.beat, tenure.close_session, tenure.declare_dead, tenure.drop_actions, \
            tenure.drop_batches, tenure.drop_given_ids, \
            tenure.drop_idle_lanes, tenure.drop_idle_subjects, tenure.drop_kept_keys, \
            tenure.drop_progress, \
            tenure.drop_steps, tenure.drop_tags, \
            tenure.enqueue_jobs, tenure.enqueue_many, tenure.expire_jobs, tenure.find_jobs, \
            tenure.fire_schedules, tenure.follow_clock, tenure.forget_history, \
            tenure.forget_schedules, tenure.forget_sessions, tenure.forgetful_queues, \
            tenure.has_begun, tenure.in_seconds, tenure.index_keys, tenure.is_shut, \
            tenure.lane_burst, tenure.lane_pause, tenure.lead, \
            tenure.open_session, tenure.prepare_history, tenure.put_schedule, \
            tenure.recall_lanes, tenure.reclaim_runs, \
            tenure.settle_batches, tenure.start_batch, tenure.subject_of, tenure.supersede, \
            tenure.trip_breakers
        """)
}
