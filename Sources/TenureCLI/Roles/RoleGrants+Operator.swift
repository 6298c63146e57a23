extension RoleGrants {
    /// A person at the command line: what readers and producers may, and every verb.
    static let `operator` = RoleGrants(
        """
        SELECT, DELETE, UPDATE (refused_at, refused_by) ON content.candidate
        SELECT, DELETE ON content.anchor, content.changed_item, \
            content.fetch_run, content.file, content.reference, content.target_fragment
        INSERT ON content.deletion
        SELECT, UPDATE (is_open) ON content.download
        SELECT ON content.body, content.chunk, content.function_set, content.large_body, \
            content.migration, tenure.function_set, \
            tenure.attempt_error_default, tenure.job_history_discarded_default, \
            tenure.job_history_ended_default, tenure.job_progress, tenure.leader, \
            tenure.migration, tenure.secret_field, tenure.session_begun
        SELECT, UPDATE (cancelled_at, finished_at, site) ON content.site_check
        SELECT, UPDATE (hold_until) ON content.host
        SELECT, DELETE, UPDATE (version) ON content.item
        SELECT, INSERT, DELETE, UPDATE (asked_at, fetch_id, set_at, set_by, source, value) \
            ON content.item_field
        SELECT, INSERT, DELETE ON content.dropped_edge, content.own_host, \
            content.target_event
        SELECT, INSERT, DELETE, UPDATE (changed_at, checked_at, code, next_href, state, \
            status) ON content.target
        SELECT, INSERT, DELETE ON content.version
        SELECT ON content.check_finding, content.check_mail, \
            content.check_place, content.check_target, \
            content.table_size
        SELECT, INSERT, DELETE ON content.ignore_rule
        SELECT, INSERT, DELETE, UPDATE (begun_at, channels, enrolled_at, enrolled_to, \
            last_check, options, paused_at) ON content.site
        SELECT, DELETE ON content.site_broken, content.sitemap
        SELECT, INSERT, DELETE, UPDATE (paused_at, paused_why) ON content.channel
        SELECT, INSERT, DELETE ON content.delivery
        SELECT, INSERT ON content.notice
        SELECT ON tenure.action, tenure.attempt_error, tenure.folded_run, tenure.job_seen, \
            tenure.run_seen, tenure.job, tenure.job_history, \
            tenure.job_log, tenure.job_signal, tenure.job_step, tenure.job_tag, \
            tenure.job_wait, \
            tenure.dead_letter, tenure.job_after, tenure.job_end, tenure.key_wait, tenure.lane, \
            tenure.lane_hold, tenure.lane_holders, tenure.queue_holders, tenure.subject
        SELECT (ended_at, follow_up, id, refused) ON tenure.batch
        SELECT, DELETE ON tenure.kind_death
        SELECT, INSERT, UPDATE (paused_at, paused_by, reason) ON tenure.kind
        SELECT, INSERT, UPDATE (capacity, paused_at, paused_by) ON tenure.queue
        SELECT, DELETE, UPDATE (paused_at, paused_by, next_at) ON tenure.schedule
        SELECT, UPDATE (stop_at, stop_by) ON tenure.session
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.batch_progress, \
            tenure.cancel_batch, tenure.cancel_job, tenure.cron_next, tenure.delete_job, \
            tenure.discard_job, tenure.edit_job, tenure.enqueue, tenure.enqueue_jobs, \
            tenure.enqueue_many, tenure.find_jobs, tenure.forget_job, \
            tenure.forget_jobs, tenure.forgetful_queues, tenure.has_begun, \
            tenure.hold_lane, tenure.in_seconds, tenure.is_shut, tenure.lane_burst, \
            tenure.lane_pause, \
            tenure.limit_queue, tenure.next_ticks, tenure.note_action, tenure.operate_jobs, \
            tenure.past_of_key, \
            tenure.put_schedule, tenure.rate_queue, tenure.read_capacity, tenure.read_end, \
            tenure.release_lane, tenure.repeat_jobs, tenure.retire_batch, tenure.retry_job, \
            tenure.send_signal, tenure.send_signal_to_key, tenure.set_ageing, \
            tenure.set_lane, tenure.set_letter, \
            tenure.signal, tenure.signal_key, tenure.settle_batches, \
            tenure.some_of_history, tenure.start_batch, \
            tenure.subject_of, tenure.supersede
        EXECUTE ON FUNCTION content.find_own_host, content.start_check
        EXECUTE ON FUNCTION content.digest, content.now
        """)
}
