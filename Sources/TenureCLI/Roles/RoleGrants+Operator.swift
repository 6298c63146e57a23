extension RoleGrants {
    /// A person at the command line: what readers and producers may, and every verb.
    static let `operator` = RoleGrants(
        """
        SELECT, DELETE ON content.anchor, content.candidate, content.changed_item, \
            content.fetch_run, content.file, content.reference, content.target_fragment
        INSERT ON content.deletion
        SELECT, UPDATE (is_open) ON content.download
        SELECT ON content.body, content.chunk, content.large_body, content.migration, \
            tenure.attempt_error_default, tenure.job_history_discarded_default, \
            tenure.job_history_ended_default, tenure.job_progress, tenure.leader, \
            tenure.migration, tenure.secret_field
        SELECT, INSERT, UPDATE (cancelled_at, finished_at) ON content.check_run
        SELECT, UPDATE (hold_until) ON content.host
        SELECT, DELETE, UPDATE (version) ON content.item
        SELECT, INSERT, DELETE, UPDATE (asked_at, fetch_id, set_at, set_by, source, value) \
            ON content.item_field
        SELECT, INSERT, DELETE ON content.dropped_edge, content.own_host, \
            content.target_event, tenure.job_history, tenure.lane_hold, tenure.queue_holders
        SELECT, INSERT, DELETE, UPDATE (changed_at, checked_at, code, next_href, state, \
            status) ON content.target
        SELECT, INSERT, DELETE ON content.version
        SELECT, INSERT ON content.run_target, tenure.lane_holders
        SELECT, DELETE ON tenure.attempt_error
        SELECT, INSERT, DELETE, UPDATE (attempt, calendar, ending_at, ending_by, \
            generation, hold_reason, hold_version, not_after, payload, payload_version, \
            priority, run_at, state, trace) ON tenure.job
        SELECT, INSERT, DELETE, UPDATE (job_id) ON tenure.given_id
        UPDATE (retried_as) ON tenure.job_history
        SELECT, INSERT, UPDATE (max_running, min_interval, set_at, set_by) ON tenure.lane
        INSERT ON tenure.lane_call
        SELECT, INSERT, UPDATE (paused_at, paused_by, reason) ON tenure.kind
        SELECT, DELETE ON tenure.kind_death
        SELECT, INSERT, UPDATE ON tenure.queue
        SELECT, INSERT, UPDATE (counted_at, next_at, pending) ON tenure.queue_load
        SELECT, INSERT, UPDATE (ended_at, ending_at, ending_by) ON tenure.run
        SELECT, INSERT, DELETE, UPDATE (cron, every, job, next_at, paused_at, paused_by, \
            zone) ON tenure.schedule
        SELECT, UPDATE (stop_at, stop_by) ON tenure.session
        SELECT, INSERT, UPDATE (floor, issued, touched_at) ON tenure.subject
        SELECT, INSERT, UPDATE (made_at) ON tenure.subject_lock
        USAGE ON SEQUENCE tenure.generation
        EXECUTE ON FUNCTION tenure.check_json, tenure.enqueue_given, tenure.enqueue_many, \
            tenure.enqueue_series, tenure.fold_series, tenure.harmless_json, \
            tenure.issue_in_order, tenure.note_given, tenure.skip_superseded, tenure.take_ids, \
            tenure.tell_series, tenure.lock_past, tenure.start_run, tenure.begin_subjects, \
            tenure.call_lanes, tenure.cancel_job, tenure.cancel_run, tenure.check_jobs, \
            tenure.clear_pending, tenure.count_pending, tenure.cron_field, tenure.cron_next, \
            tenure.delete_job, tenure.discard_job, tenure.end_pending, tenure.enqueue, \
            tenure.enqueue_jobs, tenure.enqueue_new, tenure.enqueue_turn, tenure.enter_runs, \
            tenure.expiry_reason, tenure.find_kept, tenure.hold_lane, tenure.insert_jobs, \
            tenure.is_shut, tenure.issue_generations, tenure.limit_queue, \
            tenure.lock_or_make_subjects, tenure.lock_subjects, tenure.make_lanes, \
            tenure.measure_queue, tenure.move_superseded, tenure.new_id, tenure.next_ticks, \
            tenure.operate_jobs, tenure.put_schedule, tenure.read_cron, tenure.read_jobs, \
            tenure.release_lane, tenure.repeat_jobs, tenure.require_current_view, \
            tenure.require_durable_commit, tenure.retire_pending, tenure.retire_run, \
            tenure.retire_superseded, tenure.retry_job, tenure.run_ending, tenure.run_now, \
            tenure.set_lane, tenure.settle_runs, tenure.subject_of, tenure.supersede, \
            tenure.update_pending, tenure.wall_time
        EXECUTE ON FUNCTION content.digest, content.now
        """)
}
