extension Mutant {
    /// Tags, and what runs have logged.
    static let tags = [
        Mutant(
            "a newer content adds its tags to the old ones",
            ("write_tags", "DELETE FROM tenure.job_tag t WHERE t.job_id = ANY (renewed);", ""),
            meet: "coalesce k3, tagged", "edit 4, tagged",
            finding: "a job's tags are those of its content"),
        Mutant(
            "an edit adds its tags to the old ones",
            ("edit_job", "AND t.tag <> ALL (coalesce(words, '{}'))", "AND false"),
            meet: "coalesce k3, tagged", "edit 4, tagged",
            finding: "a job's tags are those of its content"),
        Mutant(
            "what a claim row speaks for ages",
            (
                "age_queues", "AND j.id NOT IN (SELECT f.job_id FROM tenure.folded_run f)", ""
            ),
            meet: "age queues", "claim for 2, folded",
            finding: "what a claim row speaks for gets no other priority"),
        Mutant(
            "what is forgotten keeps its tags",
            (
                "clear_job", "DELETE FROM tenure.job_tag t USING over o WHERE t.job_id = o.id",
                "DELETE FROM tenure.job_tag t USING over o WHERE false"
            ),
            meet: "forget 22 (tagged, logged)", "beat 1",
            finding: "no tag or log is kept of what is forgotten"),
        Mutant(
            "what is forgotten keeps its log",
            (
                "clear_job", "DELETE FROM tenure.job_log l USING over o WHERE l.job_id = o.id",
                "DELETE FROM tenure.job_log l USING over o WHERE false"
            ),
            meet: "forget 22 (tagged, logged)", "beat 1",
            finding: "no tag or log is kept of what is forgotten"),
    ]
}
