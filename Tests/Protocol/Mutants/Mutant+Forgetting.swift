extension Mutant {
    /// Forgetting, beside those who still have to do with the job.
    static let forgetting = [
        Mutant(
            "a letter that is written meanwhile is not looked for",
            ("forget_told", "ELSIF tenure.told_of(job) <> told THEN", "ELSIF false THEN"),
            // Else it is found out only where B goes on within this time: too little for a busy
            // machine, where A gives up and forgets nothing.
            ("forget_told", "SET lock_timeout TO '50ms'", "SET lock_timeout TO '10s'"),
            meet: "cancel and forget 6 (runs)", "fail 1 2 6",
            finding: "what is forgotten has no letter"),
        Mutant(
            "what runs is forgotten",
            ("lock_told", "IF found_state = 'running' THEN", "IF false THEN"),
            meet: "cancel and forget 6 (runs)", "beat 1", finding: "what runs is not forgotten"),
        Mutant(
            "how one ended is copied beside its forgetting",
            ("hold_past", "FOR KEY SHARE OF h", ""),
            meet: "enqueue after 21 (finished)", "forget 21 (finished, keyed)",
            finding: "nothing is kept of what is forgotten"),
        Mutant(
            "an end that is in somebody's hands is erased around him",
            (
                "lock_told",
                "PERFORM FROM tenure.job_end e WHERE e.id = one FOR UPDATE NOWAIT;", ""
            ),
            meet: "enqueue after 22 (discarded, asked for before)", "forget 22 (finished)",
            finding: "no reason quotes what is forgotten"),
        Mutant(
            "whom an id that nobody had is given to meanwhile loses what he waits for",
            ("clear_job", "WHERE j.id = clear_job.job", "WHERE false"),
            meet: "forget 99 (unknown)", "enqueue 99 after 83",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "an id that is given again is let go for what it waited for before",
            ("free_waiters", "count(*) = 1 AND bool_and(", "count(*) = 1 OR bool_and("),
            meet: "settle 80 85", "forget 84 and give it again, after 83",
            finding: "nobody starts before whom it waits for has ended"),
        Mutant(
            "an id that is given again is cancelled for what it waited for before",
            ("cancel_failing", "a.job_id = f.id AND a.needs = e.id AND a.made = e.made", "true"),
            meet: "settle 80, discarded", "forget 84 and give it again, after 83",
            finding: "who is cancelled after another waited for one that was not completed"),
        Mutant(
            "an id comes back while its earlier job's end is kept",
            ("is_left_of", "WHERE e.id = is_left_of.job)", "WHERE false)"),
            meet: "forget 86 (k16) and give it again, after 83", "beat 1",
            finding: "an id comes back when nothing is kept of its job"),
    ]
}
