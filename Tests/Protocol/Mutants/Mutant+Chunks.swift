extension Mutant {
    /// Commits of many jobs.
    static let chunks = [
        Mutant(
            "a chunk keeps the writes of a member that is superseded",
            ("finish_chunk", "IF late IS NOT NULL THEN", "IF false THEN"),
            meet: "chunk 24 6 (one superseded)", "beat 1",
            finding: "a write is there if and only if its commit said so"),
        Mutant(
            "a chunk keeps the writes of a member whose fence is gone",
            ("finish_chunk", "e.became = 'late' OR ", ""),
            meet: "reclaim", "chunk 7 5 (dead)",
            finding: "a write is there if and only if its commit said so"),
        Mutant(
            "a chunk looks at its generations before it has their locks",
            ("finish_chunk", "PERFORM tenure.lock_subjects(jobs, follow_ups, true);", ""),
            meet: "supersede k1 no overlap", "chunk 2 1 6",
            finding: "a write is there if and only if its commit said so"),
        Mutant(
            "a chunk's follow-ups enter no batch",
            ("finish_chunk", "PERFORM tenure.enter_other_batches(follow_ups, jobs);", ""),
            meet: "chunk 1 6 2, follow-ups k1 k3 k2", "settle 101 104",
            finding: "every job has its batch"),
    ]
}
