extension HostileStatement {
    /// Who calls what is not his: doors of other parts, and what lies behind the doors.
    static let calling = [
        Self("finishing another's job", "-w---", "SELECT FROM tenure.finish('\(running)', 77)"),
        Self(
            "finishing others' jobs", "-w---",
            "SELECT FROM tenure.finish_chunk('{\(running)}', '{77}', '{completed}')"),
        Self("claiming", "-w---", "SELECT FROM tenure.claim(1, 'default', '{k}', 1)"),
        Self("claiming few", "-w---", "SELECT FROM tenure.claim_few(1, 'default', '{k}', 1)"),
        Self("completing", "-w---", "SELECT FROM tenure.complete_group('{}', '{}')"),
        Self("letting others' jobs go", "-w---", "SELECT FROM tenure.settle_ends()"),
        Self(
            "what came before another's job", "-w---",
            "SELECT FROM tenure.read_ends('\(running)')"),
        Self(
            "a forged end", "-----",
            "INSERT INTO tenure.job_end (id, made, outcome) "
                + "VALUES ('\(running)', now(), 'completed')"),
        Self("another's beat", "-wc--", "SELECT FROM tenure.beat(1, '{}', '{}', 0, NULL)"),
        Self("another's death", "-wc--", "SELECT tenure.declare_dead(1, 0, 1)"),
        Self("closing another's session", "-wc--", "SELECT tenure.close_session(1)"),
        Self("cancelling a job", "-w--o", "SELECT tenure.cancel_job('\(pending)', 'me')"),
        Self("cancelling a batch", "----o", "SELECT tenure.cancel_batch('\(batch)', 'me')"),
        Self("deleting a job", "----o", "SELECT tenure.delete_job('\(ended)')"),
        Self("forgetting a job", "----o", "SELECT tenure.forget_job('\(ended)')"),
        Self("forgetting jobs", "----o", "SELECT FROM tenure.forget_jobs('{\(ended)}', true)"),
        Self("letters elsewhere", "----o", "SELECT tenure.set_letter('kind', 'k', 'l', 'q')"),
        Self("an address by hand", "-----", "DELETE FROM tenure.dead_letter"),
        Self("where letters go", "-wcro", "SELECT FROM tenure.dead_letter"),
        Self("a limit", "----o", "SELECT tenure.limit_queue('default', 1)"),
        Self(
            "editing a job", "----o",
            "SELECT tenure.edit_job('\(pending)', 'me', payload => '{}')"),
        Self(
            "an action forged", "----o",
            "SELECT tenure.note_action('cancel', 'job', '{}', 1, 'another')"),
        Self(
            "an action by hand", "-----",
            """
            INSERT INTO tenure.action (id, at, last_at, verb, thing, whom, source, role, about)
            VALUES (gen_random_uuid(), now(), now(), 'v', 't', 'another', 'cli', 'another', '{}')
            """),
        Self("actions undone", "-----", "DELETE FROM tenure.action"),
        Self("actions rewritten", "-----", "UPDATE tenure.action SET whom = 'another'"),
        Self("who did what", "---ro", "SELECT FROM tenure.action"),
        Self("old actions", "--c--", "SELECT tenure.drop_actions('1 d', 10)"),
        Self(
            "actions of today", "-----", "SELECT tenure.drop_actions('0', 1000000)",
            isRefusedToAll: true),
        Self(
            "forgetting others' schedules", "--c--",
            "SELECT FROM tenure.forget_schedules('o', '{}')"),
        Self("leading by the door", "--c--", "SELECT FROM tenure.lead('coordinator', 1)"),
        Self("forgetting keys", "--c--", "SELECT tenure.drop_idle_subjects('1 h', 1)"),
        Self("forgetting batches", "--c--", "SELECT tenure.drop_batches('1 h', 1)"),
        Self("partitions", "-wc--", "SELECT tenure.prepare_history('attempt_error', 7)"),
        Self(
            "10,000 partitions", "-----", "SELECT tenure.prepare_history('attempt_error', 10000)",
            isRefusedToAll: true),
        Self(
            "partitions of jobs", "-----", "SELECT tenure.prepare_history('job', 1)",
            isRefusedToAll: true),
        Self(
            "partitions without a bound", "-----",
            "SELECT tenure.make_partitions('attempt_error', 40)"),
        Self("old history", "--c--", "SELECT tenure.forget_history('attempt_error', '1 d')"),
        Self(
            "all history", "-----", "SELECT tenure.forget_history('job_history_ended', '0')",
            isRefusedToAll: true),
        Self(
            "history to come", "-----",
            "SELECT tenure.forget_history('job_history_ended', '-30 d')", isRefusedToAll: true),
        Self(
            "history without a bound", "-----",
            "SELECT tenure.drop_partitions('attempt_error', '-30 d')"),
        Self("forged generations", "-----", "SELECT FROM tenure.enqueue_new('{}')"),
        Self("forged rows", "-----", "SELECT tenure.insert_jobs('{}')"),
        Self("forged ends", "-----", "SELECT tenure.apply_decisions('{}')"),
        Self("others' keys retired", "-----", "SELECT tenure.retire_key('k', 'a', 0, NULL)"),
        Self("jobs moved away", "-----", "SELECT tenure.move_pending('{}', 'superseded', NULL)"),
        Self("jobs ended unseen", "-----", "SELECT tenure.remove_completed('{}', '{}', '{}')"),
        Self("lanes seen", "-----", "SELECT FROM tenure.without_jobs('q', '{}', now())"),
        Self("keys locked", "-----", "SELECT tenure.lock_or_make_subjects('{k}', '{a}')"),
        Self("queues counted", "-----", "SELECT tenure.count_pending('default', 1000000000)"),
        Self("a job for all", "pw--o", "SELECT FROM tenure.enqueue('k')"),
        Self(
            "superseding another's", "pw--o",
            "SELECT FROM tenure.enqueue('k', key => 'a', mode => 'superseding')"),
        Self(
            "a job for ever", "-----",
            "SELECT FROM tenure.enqueue('k', run_at => 'infinity', priority => 99)",
            isRefusedToAll: true),
        Self(
            "a priority of its own", "-----",
            """
            SELECT FROM tenure.add_job(gen_random_uuid(), 'k', 'q', '{}', 1::int2, 100::int2, 25,
                NULL, '0', NULL, NULL, NULL, false)
            """, isRefusedToAll: true),
        Self(
            "another's id", "-----",
            """
            SELECT FROM tenure.add_job('\(pending)', 'k', 'q', '{}', 1::int2, 5::int2, 25, NULL,
                '0', NULL, NULL, NULL, false)
            """, isRefusedToAll: true),
        Self("waiting for a number", "p--ro", "SELECT FROM tenure.read_end('\(pending)')"),
        Self(
            "a check's kind", "-----",
            """
            SELECT content.start_check(gen_random_uuid(), 'x', 'http://a', NULL, '{}', '{}', '{}',
                '{}', '{}', '{}', '{}')
            """, isRefusedToAll: true),
    ]
}
