extension RoleGrants {
    /// Whoever looks: lists, stories, figures, reports. Payloads too.
    static let reader = RoleGrants(
        """
        SELECT ON content.anchor, content.body, content.candidate, content.changed_item, \
            content.channel, content.delivery, content.notice, content.site, \
            content.site_broken, content.sitemap, content.check_finding, content.site_check, \
            content.chunk, \
            content.fetch_run, content.file, content.function_set, content.ignore_rule, \
            content.host, content.item, \
            content.item_field, content.large_body, content.migration, content.own_host, \
            content.reference, content.check_mail, \
            content.check_place, content.check_target, content.table_size, \
            content.target, content.target_event, \
            content.target_fragment, content.version, tenure.action, tenure.attempt_error, \
            tenure.attempt_error_default, tenure.folded_run, tenure.function_set, tenure.job, \
            tenure.job_seen, tenure.run_seen, \
            tenure.job_history, tenure.job_history_discarded_default, \
            tenure.job_history_ended_default, tenure.job_progress, tenure.job_signal, \
            tenure.job_log, tenure.job_step, tenure.job_tag, tenure.job_wait, \
            tenure.job_after, tenure.job_end, tenure.key_wait, tenure.kind, \
            tenure.kind_death, tenure.lane, \
            tenure.lane_hold, tenure.lane_holders, tenure.leader, tenure.migration, \
            tenure.dead_letter, tenure.queue, tenure.queue_holders, tenure.schedule, \
            tenure.secret_field, \
            tenure.session, tenure.session_begun, tenure.subject
        SELECT (ended_at, follow_up, id, refused) ON tenure.batch
        EXECUTE ON FUNCTION tenure.batch_progress, tenure.has_begun, tenure.in_seconds, \
            tenure.is_shut, tenure.lane_burst, tenure.lane_pause, tenure.next_ticks, \
            tenure.past_of_key, tenure.read_end, tenure.some_of_history, \
            tenure.subject_of
        EXECUTE ON FUNCTION content.digest, content.find_own_host, content.now
        """)
}
