extension RoleGrants {
    /// Whoever enqueues: jobs, runs and checks, and what has become of them by number. No table:
    /// a right on one is a right on everybody's rows.
    static let producer = RoleGrants(
        """
<<<<<<< HEAD
        SELECT ON content.migration, tenure.migration
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.enqueue, \
            tenure.enqueue_jobs, tenure.enqueue_many, tenure.find_jobs, \
            tenure.forgetful_queues, tenure.measure_queue, tenure.read_end, \
            tenure.run_progress, tenure.start_run, tenure.supersede
        EXECUTE ON FUNCTION content.find_own_host, content.start_check
=======
        INSERT ON content.check_run, tenure.lane_call
        SELECT ON content.migration, content.own_host, tenure.lane_hold, tenure.migration, \
            tenure.queue
        SELECT, INSERT, UPDATE (counted_at, next_at, pending) ON tenure.queue_load
        SELECT, INSERT ON content.run_target, tenure.lane_holders
        SELECT, INSERT, UPDATE (checked_at) ON content.target
        SELECT, INSERT, DELETE, UPDATE (attempt, calendar, generation, hold_reason, \
            hold_version, not_after, payload, payload_version, priority, run_at, state, \
            trace) ON tenure.job
        SELECT (generation, id, key, kind, outcome, reason, result, run_id, \
            superseded_by), INSERT ON tenure.job_history
        SELECT (fence, job_id, message) ON tenure.attempt_error
        SELECT, INSERT, UPDATE (job_id) ON tenure.given_id
        SELECT, INSERT, UPDATE (set_by) ON tenure.lane
        SELECT, INSERT, UPDATE (ending_by) ON tenure.run
        SELECT, INSERT, UPDATE (floor, issued, touched_at) ON tenure.subject
        SELECT, INSERT, UPDATE (made_at) ON tenure.subject_lock
        USAGE ON SEQUENCE tenure.generation
        EXECUTE ON FUNCTION tenure.check_json, tenure.enqueue_given, tenure.enqueue_many, \
            tenure.enqueue_series, tenure.fold_series, tenure.harmless_json, \
            tenure.issue_in_order, tenure.note_given, tenure.skip_superseded, tenure.take_ids, \
            tenure.tell_series, tenure.start_run, tenure.begin_subjects, tenure.call_lanes, \
            tenure.check_jobs, tenure.clear_pending, tenure.count_pending, tenure.end_pending, \
            tenure.enqueue, tenure.enqueue_jobs, tenure.enqueue_new, tenure.enqueue_turn, \
            tenure.enter_runs, tenure.expiry_reason, tenure.find_kept, tenure.insert_jobs, \
            tenure.issue_generations, tenure.lock_or_make_subjects, tenure.make_lanes, \
            tenure.measure_queue, tenure.move_superseded, tenure.new_id, tenure.read_jobs, \
            tenure.require_current_view, tenure.require_durable_commit, tenure.retire_pending, \
            tenure.retire_superseded, tenure.subject_of, tenure.supersede, \
            tenure.update_pending
        EXECUTE ON FUNCTION content.digest, content.now
>>>>>>> c2f3f09d3296176359949eb16ebe53d6e8302b42
        """)
}
