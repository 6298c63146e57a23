extension Mutant {
    /// Letters of discarded jobs.
    static let letters = [
        Mutant(
            "a run that is discarded has no letter",
            ("apply_decisions", "IF given_up IS NOT NULL THEN", "IF false THEN"),
            meet: "discard 1", "beat 1", finding: "who is discarded has one letter"),
        Mutant(
            "a pending job that is discarded has no letter",
            ("move_pending", "IF how = 'discarded' AND moved > 0 THEN", "IF false THEN"),
            meet: "expire", "beat 1", finding: "who is discarded has one letter"),
        Mutant(
            "whatever ends is discarded, as far as letters know",
            ("apply_decisions", "FILTER (WHERE g.became = 'discarded')", ""),
            ("discarded", "AND h.outcome = 'discarded'", ""),
            ("add_letters", "AND h.outcome = 'discarded'", ""),
            meet: "end 5 2 1 6, impatient", "beat 1", finding: "who is discarded has one letter"),
        Mutant(
            "a letter isn't known where the job is",
            ("add_letters", "h.id = ANY (ids)", "false"),
            meet: "expire", "beat 1", finding: "who is discarded has one letter"),
    ]
}
