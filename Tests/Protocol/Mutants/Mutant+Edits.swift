extension Mutant {
    /// Edits of pending jobs.
    static let edits = [
        Mutant(
            "an edit looks at the job and does not lock it",
            (
                "edit_job", "found_state := tenure.lock_job(job);",
                "SELECT j.state INTO found_state FROM tenure.job j WHERE j.id = job;"
            ), meet: "edit 8 (pending)", "claim for 1", finding: "what runs is not edited"),
        Mutant(
            "an edit does not ask for claim rows",
            ("lock_job", "IF tenure.unfold(ARRAY[lock_job.job]) > 0", "IF false"),
            meet: "edit 71 (folded)", "beat 4", finding: "what runs is not edited"),
        Mutant(
            "an edit does not lock the subject",
            ("edit_job", "PERFORM tenure.lock_subjects(ARRAY[job], NULL, true);", ""),
            meet: "edit 4 (pending)", "supersede k3",
            finding: "a subject has one row, and one to be locked by"),
        Mutant(
            "an edit's payload keeps its generation",
            ("edit_job", "fresh := tenure.renew_generation(mine.kind, mine.key);", "NULL;"),
            meet: "edit 4 (pending)", "beat 1", finding: "a new payload is a new generation"),
    ]
}
