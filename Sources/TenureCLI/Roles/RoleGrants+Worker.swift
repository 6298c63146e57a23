extension RoleGrants {
    /// A worker process: claims, runs and ends jobs, enqueues more, keeps what is fetched. Of the
    /// queue's tables it writes none.
    static let worker = RoleGrants(
        """
        SELECT, INSERT, DELETE ON content.anchor, content.fetch_run, content.reference
        SELECT, INSERT ON content.body, content.chunk, content.version
        SELECT, INSERT, DELETE, UPDATE (charset, fetch_id, fields, final_url, found_at, \
            hash, media_type, reason, words) ON content.candidate
        SELECT, UPDATE (finished_at) ON content.check_run
        SELECT, INSERT, DELETE, UPDATE (bytes, hashing, is_open, received, touched_at) ON \
            content.download
        SELECT, INSERT, UPDATE (bytes, checked_at, completed_at, etag, final_url, \
            fresh_until, hash, last_modified, media_type) ON content.file
        SELECT, INSERT, UPDATE (hold_until, robots, robots_fetched_at, robots_status, \
            robots_until) ON content.host
        SELECT, INSERT, UPDATE (anchor_count, asked_at, attempted_at, bytes, charset, \
            changed_at, code, etag, fetched_at, final_url, first_fetched_at, fresh_until, \
            hash, headers, is_complete, last_modified, media_type, missing_since, \
            moved_at, outcome, redirect_to, redirects, reference_count, seen_at, status, \
            suspicion, title, version, words) ON content.item
        SELECT, INSERT, UPDATE (asked_at, fetch_id, set_at, set_by, source, value) ON \
            content.item_field
        SELECT, INSERT, DELETE, UPDATE (kept_at) ON content.large_body
        SELECT ON content.migration, content.own_host, tenure.migration
        SELECT, INSERT, UPDATE (checked_at, code, detail, failures, is_page, next, state, \
            status) ON content.run_target
        SELECT, INSERT, UPDATE (changed_at, checked_at, code, failures, first_broken_at, \
            last_ok_at, next_href, state, status) ON content.target
        SELECT, INSERT, DELETE, UPDATE (checked_at, first_broken_at, last_ok_at, state) ON \
            content.target_fragment
        SELECT, INSERT, DELETE, UPDATE (last_at, queue) ON content.changed_item
        SELECT, INSERT, DELETE ON content.dropped_edge
<<<<<<< HEAD
        SELECT, INSERT, DELETE, UPDATE (asks_whole, hops, kept_at, next, start) ON content.trail
        INSERT ON content.target_event
        SELECT (code, fence, job_id) ON tenure.attempt_error
        SELECT (fence, generation, id, outcome, run_id) ON tenure.job_history
        SELECT ON tenure.job, tenure.job_progress, tenure.kind, tenure.lane, tenure.lane_hold, \
            tenure.lane_holders, tenure.queue, tenure.session, tenure.subject
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.beat, tenure.cancel_job, \
            tenure.claim, tenure.close_session, tenure.complete_runs, tenure.declare_dead, \
            tenure.end_runs(tenure.ending[], boolean), tenure.end_runs(jsonb, boolean), \
            tenure.enqueue, tenure.enqueue_jobs, tenure.enqueue_many, tenure.expire_jobs, tenure.find_jobs, tenure.finish, \
            tenure.follow_clock, tenure.forgetful_queues, tenure.hold_lane, tenure.hold_run, \
            tenure.is_shut, tenure.measure_queue, tenure.next_due, tenure.open_session, \
            tenure.prepare_history, tenure.read_verdicts, tenure.reclaim_runs, \
            tenure.release_held, tenure.retire_run, tenure.run_progress, tenure.settle_runs, \
            tenure.slow_lane, tenure.start_run, tenure.subject_of, tenure.supersede, \
            tenure.sweep_runs
        EXECUTE ON FUNCTION content.find_own_host, content.start_check
=======
        INSERT ON content.target_event, tenure.kind_death, tenure.secret_field
        SELECT (code, fence, job_id), INSERT ON tenure.attempt_error
        SELECT, UPDATE (back, found_at, found_by, steps) ON tenure.clock
        SELECT, INSERT, DELETE, UPDATE (attempt, calendar, claimed_at, created_at, \
            ending_at, ending_by, fence, generation, hold_reason, hold_version, lane, \
            not_after, payload, payload_version, priority, refunds, run_at, runs, \
            session_id, state, trace, waits_for_key) ON tenure.job
        SELECT (fence, generation, id, outcome, run_id), INSERT ON tenure.job_history
        SELECT, INSERT, DELETE, UPDATE (done, note, rate, reported_at, total) ON \
            tenure.job_progress
        SELECT, INSERT, UPDATE (job_id) ON tenure.given_id
        SELECT, INSERT, UPDATE (min_interval) ON tenure.lane
        SELECT, INSERT, DELETE, UPDATE (at) ON tenure.lane_call
        SELECT, INSERT, UPDATE (until) ON tenure.lane_hold
        SELECT, INSERT, DELETE, UPDATE (next_at, turn_at) ON tenure.lane_holders
        SELECT ON tenure.kind
        SELECT, UPDATE (paused_by) ON tenure.queue
        SELECT, INSERT, UPDATE (counted_at, next_at, pending) ON tenure.queue_load
        SELECT, INSERT, UPDATE (ended_at) ON tenure.run
        SELECT, INSERT, UPDATE (beat, beaten_at, died, ended_at, ended_by, reclaimed_at) \
            ON tenure.session
        SELECT, INSERT, UPDATE (committed, floor, issued, touched_at) ON tenure.subject
        SELECT, INSERT, UPDATE (made_at) ON tenure.subject_lock
        USAGE ON SEQUENCE tenure.fence, tenure.generation
        EXECUTE ON FUNCTION tenure.check_json, tenure.enqueue_given, tenure.enqueue_many, \
            tenure.enqueue_series, tenure.fold_series, tenure.harmless_json, \
            tenure.issue_in_order, tenure.note_given, tenure.skip_superseded, tenure.take_ids, \
            tenure.tell_series, tenure.start_run, tenure.take_follow_ups, tenure.answer_calls, \
            tenure.apply_decisions, tenure.beat, tenure.begin_subjects, tenure.call_lanes, \
            tenure.cancel_job, tenure.change_lanes, tenure.check_jobs, tenure.clear_pending, \
            tenure.count_pending, tenure.claim, tenure.claim_lanes, tenure.close_session, \
            tenure.complete_run, tenure.complete_runs, tenure.decide, tenure.declare_dead, \
            tenure.end_pending, tenure.end_runs(tenure.ending[], boolean), \
            tenure.end_runs(jsonb, boolean), tenure.enqueue, tenure.enqueue_jobs, \
            tenure.enqueue_new, tenure.enqueue_turn, tenure.enter_other_runs, \
            tenure.enter_runs, tenure.expire_jobs, tenure.expiry_reason, tenure.find_kept, \
            tenure.finish, tenure.follow_clock, tenure.heed_expiry, tenure.heed_runs, \
            tenure.hold_lane, tenure.hold_lanes, tenure.hold_run, tenure.insert_jobs, \
            tenure.is_shut, tenure.issue_generations, tenure.lock_or_make_subjects, \
            tenure.lock_subjects, tenure.make_lanes, tenure.measure_queue, \
            tenure.make_partitions, tenure.max_refunds, tenure.move_lanes, \
            tenure.move_superseded, tenure.new_id, tenure.next_due, tenure.note_deaths, \
            tenure.note_progress, tenure.open_kinds, tenure.open_session, tenure.read_jobs, \
            tenure.read_verdicts, tenure.reclaim_runs, tenure.release_held, \
            tenure.release_successors, tenure.remove_completed, tenure.require_current_view, \
            tenure.require_durable_commit, tenure.rest_lanes, tenure.retire_pending, \
            tenure.retire_run, tenure.retire_superseded, tenure.run_ending, \
            tenure.settle_runs, tenure.slow_lane, tenure.still_running, tenure.subject_of, \
            tenure.supersede, tenure.sweep_runs, tenure.take_jobs, tenure.try_removing, \
            tenure.update_pending
>>>>>>> c2f3f09d3296176359949eb16ebe53d6e8302b42
        EXECUTE ON FUNCTION content.digest, content.now
        """)
}
