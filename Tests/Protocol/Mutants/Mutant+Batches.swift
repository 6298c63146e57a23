extension Mutant {
    /// Batches of jobs.
    static let batches = [
        Mutant(
            "an idle batch is dropped without a second look",
            ("drop_batches", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            (
                "drop_batches",
                " AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = r.id)", ""
            ), meet: "enter 102 (idle)", "drop batches", finding: "every job has its batch"),
        Mutant(
            "who enters a batch believes that it is still there",
            ("enter_batches", "EXIT WHEN shared = wanted", "EXIT"),
            meet: "drop batches", "enter 102 (idle)", finding: "every job has its batch"),
        Mutant(
            "a batch ends without a second look",
            ("settle_batches", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            (
                "settle_batches",
                "CONTINUE WHEN EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = candidate);", ""
            ), meet: "enter 101 (open)", "settle 101 104", finding: "every job has its batch"),
        Mutant(
            "one refused follow-up puts all batches back",
            ("settle_batches", "EXCEPTION WHEN OTHERS THEN", "EXCEPTION WHEN OTHERS THEN RAISE;"),
            meet: "beat 1", "settle 101 104", finding: "22023"),
        Mutant(
            "a kept job may be of a cancelled batch",
            ("clear_pending", "AS batch (whom) ON true", "AS batch (whom) ON false"),
            ("find_kept", " AND NOT EXISTS (SELECT FROM tenure.batch_ending(j.batch_id))", ""),
            meet: "keep k15 (cancelled batch)", "beat 1",
            finding: "an enqueue outlives a cancelled batch"),
        Mutant(
            "a job of a cancelled batch takes new content",
            ("clear_pending", "AS batch (whom) ON true", "AS batch (whom) ON false"),
            meet: "coalesce k15 (cancelled batch)", "beat 1",
            finding: "an enqueue outlives a cancelled batch"),
        Mutant(
            "a group completes jobs of a cancelled batch",
            (
                "remove_completed", "j.batch_id IS NULL OR j.batch_id <> ALL (",
                "true OR j.batch_id <> ALL ("
            ), meet: "complete 41 (cancelled batch)", "beat 1",
            finding: "no job of a cancelled batch completes"),
        Mutant(
            "a retired job's key is not locked",
            ("retire_batch", "FOR NO KEY UPDATE SKIP LOCKED", ""),
            ("retire_batch", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            meet: "coalesce k15 (cancelled batch)", "retire batch 103",
            finding: "waits for a user's open transaction"),
    ]
}
