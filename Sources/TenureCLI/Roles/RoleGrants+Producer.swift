extension RoleGrants {
    /// Whoever enqueues: jobs, runs and checks, and what has become of them by number. No table:
    /// a right on one is a right on everybody's rows.
    static let producer = RoleGrants(
        """
        SELECT ON content.function_set, content.migration, tenure.function_set, \
            tenure.migration
        EXECUTE ON FUNCTION tenure.add_job, tenure.add_jobs, tenure.batch_progress, \
            tenure.enqueue, tenure.enqueue_jobs, tenure.enqueue_many, tenure.find_jobs, \
            tenure.forgetful_queues, tenure.read_capacity, tenure.read_end, tenure.send_signal, \
            tenure.send_signal_to_key, tenure.settle_batches, tenure.signal, tenure.signal_key, \
            tenure.start_batch, tenure.supersede
        EXECUTE ON FUNCTION content.find_own_host, content.start_check
        """)
}
