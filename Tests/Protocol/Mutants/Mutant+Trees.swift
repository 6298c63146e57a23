extension Mutant {
    /// Trees of jobs.
    static let trees = [
        Mutant(
            "an idle tree is dropped without a second look",
            ("drop_runs", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            (
                "drop_runs", " AND NOT EXISTS (SELECT FROM tenure.job j WHERE j.run_id = r.id)", ""
            ), meet: "enter 102 (idle)", "drop runs", finding: "every job has its tree"),
        Mutant(
            "who enters a tree believes that it is still there",
            ("enter_runs", "EXIT WHEN shared = wanted", "EXIT"),
            meet: "drop runs", "enter 102 (idle)", finding: "every job has its tree"),
        Mutant(
            "a tree ends without a second look",
            ("settle_runs", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            (
                "settle_runs",
                "CONTINUE WHEN EXISTS (SELECT FROM tenure.job j WHERE j.run_id = candidate);", ""
            ), meet: "enter 101 (open)", "settle 101 104", finding: "every job has its tree"),
        Mutant(
            "one refused follow-up puts all trees back",
            ("settle_runs", "EXCEPTION WHEN OTHERS THEN", "EXCEPTION WHEN OTHERS THEN RAISE;"),
            meet: "beat 1", "settle 101 104", finding: "22023"),
        Mutant(
            "a kept job may be of a cancelled tree",
            ("clear_pending", "AS tree (whom) ON true", "AS tree (whom) ON false"),
            ("find_kept", " AND NOT EXISTS (SELECT FROM tenure.run_ending(j.run_id))", ""),
            meet: "keep k15 (cancelled tree)", "beat 1",
            finding: "an enqueue outlives a cancelled tree"),
        Mutant(
            "a job of a cancelled tree takes new content",
            ("clear_pending", "AS tree (whom) ON true", "AS tree (whom) ON false"),
            meet: "coalesce k15 (cancelled tree)", "beat 1",
            finding: "an enqueue outlives a cancelled tree"),
        Mutant(
            "a group completes jobs of a cancelled tree",
            (
                "remove_completed", "j.run_id IS NULL OR j.run_id <> ALL (",
                "true OR j.run_id <> ALL ("
            ), meet: "complete 41 (cancelled tree)", "beat 1",
            finding: "no job of a cancelled tree completes"),
        Mutant(
            "a retired job's key is not locked",
            ("retire_run", "FOR NO KEY UPDATE SKIP LOCKED", ""),
            ("retire_run", "FOR UPDATE SKIP LOCKED", "FOR UPDATE"),
            meet: "coalesce k15 (cancelled tree)", "retire run 103",
            finding: "waits for a user's open transaction"),
    ]
}
