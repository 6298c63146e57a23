extension Mutant {
    /// Forgetting, beside those who still have to do with the job.
    static let forgetting = [
        Mutant(
            "a letter that is written meanwhile is not looked for",
            ("forget_one", "EXIT WHEN tenure.told_of(job) = told", "EXIT"),
            meet: "fail 1 2 6", "cancel and forget 6 (runs)",
            finding: "what is forgotten has no letter"),
        Mutant(
            "what runs is forgotten",
            ("forget_one", "IF found_state = 'running' THEN", "IF false THEN"),
            meet: "cancel and forget 6 (runs)", "beat 1", finding: "what runs is not forgotten"),
    ]
}
