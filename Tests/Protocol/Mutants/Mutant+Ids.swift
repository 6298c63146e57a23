extension Mutant {
    /// What a caller gave once, and what an operator runs again once.
    static let ids = [
        Mutant(
            "a given id is not taken",
            ("enqueue_new", "IF is_given THEN", "IF false THEN"),
            meet: "give 62", "give 63, 62 (k3)", finding: "23505"),
        Mutant(
            "who waited for an id doesn't look who has it",
            ("take_ids", "WHERE NOT w.is_ours OR j.id IS NOT NULL", "WHERE j.id IS NOT NULL"),
            meet: "give 61 (forgotten)", "beat 1", finding: "a given id stands for one job"),
        Mutant(
            "a given id is forgotten before history",
            (
                "drop_given_ids",
                "AND NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = o.job_id OFFSET 0)",
                ""
            ), meet: "drop given ids", "beat 1", finding: "a given id is known as long as its job"),
        Mutant(
            "a finished job is run again without a lock",
            ("lock_past", "FOR NO KEY UPDATE", ""), ("repeat_jobs", "FOR NO KEY UPDATE", ""),
            meet: "retry 22 (finished)", "run 22 21 again",
            finding: "a finished job is run again once"),
        Mutant(
            "a bulk doesn't look whether a job was run again",
            ("repeat_jobs", "h.retried_as IS NULL AND NOT EXISTS", "NOT EXISTS"),
            meet: "retry 22 (finished)", "run 22 21 again",
            finding: "a finished job is run again once"),
        Mutant(
            "a series leaves the pending job of its key",
            ("enqueue_series", "WHERE s.era = 1", "WHERE s.era = 99"),
            meet: "k3 and k1 again and again", "beat 1", finding: "a key has one pending job"),
    ]
}
