extension Mutant {
    /// Callers whose snapshot is older than what has become of their keys, and the net below.
    static let snapshots = [
        Mutant(
            "a snapshot is trusted with a key's jobs, by an enqueue that may wait",
            ("require_current_view", trusting, "PERFORM cardinality(array("),
            meet: "coalesce k1, REPEATABLE READ", "fail 1 2 6",
            finding: "a key has one pending job"),
        Mutant(
            "a snapshot is trusted with a key's jobs, by a supersede that may not overlap",
            ("require_current_view", trusting, "PERFORM cardinality(array("),
            meet: "supersede k4 alone, no overlap, SERIALIZABLE", "reclaim",
            finding: "a key has one pending job"),
        Mutant(
            "a snapshot's jobs are looked at and not locked",
            ("require_current_jobs", "FOR NO KEY UPDATE", "OFFSET 0"),
            meet: "coalesce k1, REPEATABLE READ", "fail 1 2 6",
            finding: "a key has one pending job"),
        Mutant(
            "a snapshot is trusted with the subject",
            ("require_current_view", "FOR NO KEY UPDATE) AS s;", "OFFSET 0) AS s;"),
            meet: "coalesce k10 (idle), REPEATABLE READ", "keep k10 (idle)",
            finding: "a key has one pending job"),
        Mutant(
            "the sweep lets go who waits for a run",
            ("stranded", "AND r.state = 'running'", "AND false"),
            meet: "sweep waiting", "beat 4",
            finding: "a successor does not start beside a run it waited for"),
        Mutant(
            "the sweep forgets the floor",
            ("sweep_waiting", "s.floor > j.generation OR s.committed >= j.generation OR", ""),
            meet: "sweep 3 (outdated)", "beat 4", finding: "no pending job is below its floor"),
    ]

    private static let trusting = "PERFORM tenure.require_current_jobs(array("
}
