extension RoleGrants {
    /// A worker process: claims, runs and ends jobs, enqueues more, keeps what is fetched. Of the
    /// queue's tables it writes none.
    static let worker = RoleGrants(
        """
        SELECT, INSERT, DELETE ON content.anchor, content.fetch_run, content.reference
        SELECT, INSERT ON content.check_finding, content.chunk, content.version
        SELECT, INSERT, UPDATE (stored_at) ON content.body
        SELECT, INSERT, DELETE, UPDATE (charset, fetch_id, fields, final_url, found_at, \
            hash, media_type, reason, refused_at, refused_by, words) ON content.candidate
        SELECT, UPDATE (finished_at, site) ON content.site_check
        SELECT, UPDATE (begun_at, discovered_at, enrolled_at, enrolled_to, known_at, last_check, \
            refetch_why, refetched_at, skipped_at, skipped_why) ON content.site
        SELECT, INSERT, UPDATE (added, etag, last_modified, looked_at, problem, urls) \
            ON content.sitemap
        SELECT, INSERT, DELETE ON content.site_broken
        SELECT, UPDATE (paused_at, paused_why) ON content.channel
        SELECT, INSERT, UPDATE (error, failed_at, failures, sent_at) ON content.delivery
        SELECT, INSERT ON content.notice
        SELECT, INSERT, DELETE, UPDATE (bytes, hashing, is_open, received, touched_at) ON \
            content.download
        SELECT, INSERT, UPDATE (bytes, checked_at, completed_at, etag, final_url, \
            fresh_until, hash, last_modified, media_type) ON content.file
        SELECT, INSERT, UPDATE (hold_until, robots, robots_fetched_at, robots_status, \
            robots_until) ON content.host
        SELECT, INSERT, UPDATE (anchor_count, asked_at, attempted_at, bytes, charset, \
            change_count, change_span, changed_at, code, due_at, enqueued_at, etag, \
            fetched_at, final_url, first_fetched_at, fresh_until, hash, headers, \
            is_complete, last_modified, looked_at, media_type, missing_since, moved_at, \
            outcome, redirect_to, redirects, reference_count, refetch_after, seen_at, \
            site, status, suspicion, title, version, words) ON content.item
        SELECT, INSERT, UPDATE (asked_at, fetch_id, set_at, set_by, source, value) ON \
            content.item_field
        SELECT, INSERT, DELETE, UPDATE (kept_at) ON content.large_body
        SELECT ON content.function_set, content.ignore_rule, content.migration, content.own_host, \
            tenure.function_set, tenure.migration
        SELECT, INSERT, UPDATE (checked_at, code, detail, failures, is_page, next, state, \
            status) ON content.check_target
        SELECT, INSERT, UPDATE (next, state) ON content.check_place
        SELECT, INSERT ON content.check_mail
        SELECT, INSERT, UPDATE (changed_at, checked_at, code, failures, first_broken_at, \
            last_ok_at, next_href, state, status) ON content.target
        SELECT, INSERT, DELETE, UPDATE (checked_at, first_broken_at, last_ok_at, state) ON \
            content.target_fragment
        SELECT, INSERT, DELETE, UPDATE (called_at, last_at) ON content.changed_item
        SELECT, INSERT, DELETE ON content.dropped_edge
        SELECT, INSERT, DELETE, UPDATE (asks_whole, hops, kept_at, next, start) ON content.trail
        INSERT ON content.target_event
        SELECT (code, fence, job_id) ON tenure.attempt_error
        SELECT (claimed_at, fence, generation, id, kind, outcome, batch_id, result, retry_of) ON \
            tenure.job_history
        SELECT ON tenure.folded_run, tenure.job_seen, tenure.run_seen, \
            tenure.dead_letter, tenure.job, tenure.job_progress, tenure.kind, tenure.lane, \
            tenure.lane_hold, \
            tenure.lane_holders, tenure.queue, tenure.queue_holders, tenure.session, \
            tenure.session_begun, tenure.subject
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.batch_progress, tenure.beat, \
            tenure.cancel_job, tenure.claim, tenure.claim_few, tenure.claim_queues, \
            tenure.close_session, tenure.complete_group, tenure.declare_dead, \
            tenure.end_runs(tenure.ending[], boolean), tenure.end_runs(jsonb, boolean), \
            tenure.enqueue, tenure.enqueue_jobs, tenure.enqueue_many, tenure.expire_jobs, \
            tenure.find_jobs, tenure.finish, tenure.finish_chunk, \
            tenure.follow_clock, tenure.forgetful_queues, tenure.has_begun, tenure.hold_lane, \
            tenure.hold_run, tenure.in_seconds, tenure.is_shut, tenure.keep_step, \
            tenure.lane_burst, tenure.lane_pause, \
            tenure.next_due, tenure.note_begun, tenure.open_session, tenure.prepare_history, \
            tenure.read_capacity, tenure.read_steps, tenure.read_verdicts, tenure.send_signal, \
            tenure.send_signal_to_key, tenure.signal, tenure.signal_key, tenure.take_wait, \
            tenure.read_ends, tenure.settle_ends, \
            tenure.see_wait, tenure.take_signal, tenure.reclaim_runs, tenure.release_held, \
            tenure.retire_batch, tenure.settle_batches, tenure.slow_lane, tenure.start_batch, \
            tenure.subject_of, tenure.supersede, tenure.sweep_batches, tenure.sweep_claims, \
            tenure.sweep_waiting
        EXECUTE ON FUNCTION content.find_own_host, content.forget_bodies, \
            content.forget_candidates, content.forget_checks, content.forget_events, \
            content.forget_notices, content.forget_versions, content.note_sizes, \
            content.start_check
        EXECUTE ON FUNCTION content.digest, content.now
        """)
}
