extension Mutant {
    /// Jobs that wait for other jobs.
    static let afters = [
        Mutant(
            "an end of a group isn't written down",
            (
                "remove_completed", "array_agg(g.id) FILTER (WHERE g.has_waiters),",
                "array_agg(g.id) FILTER (WHERE false),"
            ),
            meet: "complete 85 (awaited) by place", "beat 1",
            finding: "what ends while others wait for it is written down"),
        Mutant(
            "the same where a claim row speaks for it",
            (
                "remove_folded", "array_agg(g.id) FILTER (WHERE g.has_waiters),",
                "array_agg(g.id) FILTER (WHERE false),"
            ),
            // Newer servers find no row at another place; and who waits for long looks anew.
            ("remove_folded", "j.ctid = ANY (places)", "j.id = ANY (ids)"),
            ("try_removing", "'50ms'", "'5s'"),
            meet: "enqueue after 82 (runs, folded)", "complete 82 by place, folded",
            finding: "what ends while others wait for it is written down"),
        Mutant(
            "of a group's ends that one job waits for none is to be settled",
            ("note_completed", "ORDER BY w.id) > 1", "ORDER BY w.id) > 0"),
            meet: "complete 18 83 (one waits for both)", "beat 1",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "an end that others wait for, too, is told of by another",
            ("note_completed", "cardinality(w.ids) = 1", "cardinality(w.ids) > 0"),
            meet: "enqueue after 83 (runs)", "complete 18 83 (one waits for both)",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "who is waited for isn't marked",
            ("mark_awaited", "SET has_waiters = true", "SET has_waiters = false"),
            meet: "enqueue after 83 (runs)", "beat 1", finding: "whom others wait for is marked"),
        Mutant(
            "who is waited for isn't locked", ("mark_awaited", "FOR KEY SHARE", ""),
            meet: "enqueue after 80 (awaited)", "end 80 (awaited)",
            finding: "nobody begins to wait for a job that has ended"),
        Mutant(
            "how one ended who was locked is not looked for",
            ("enter_links", "PERFORM tenure.hold_ends(over) WHERE over <> '{}';", ""),
            meet: "enqueue after 83 (runs)", "complete 83 by place", finding: "TN003"),
        Mutant(
            "how one ended is forgotten while somebody begins to wait for it",
            ("share_ends", "ORDER BY e.made FOR KEY SHARE", ""),
            meet: "enqueue after 21 (finished, asked for before)", "drop steps",
            finding: "what ends while others wait for it is written down"),
        Mutant(
            "a pending job's end isn't written down",
            ("move_pending", "IF awaited IS NOT NULL THEN", "IF false THEN"),
            meet: "cancel 88 (awaited)", "beat 1",
            finding: "what ends while others wait for it is written down"),
        Mutant(
            "a run's end isn't written down",
            ("end_runs", "IF is_awaited THEN", "IF false THEN"),
            meet: "end 80 (awaited)", "beat 1",
            finding: "what ends while others wait for it is written down"),
        Mutant(
            "a waiter that somebody has locked is given up",
            ("move_on", "RETURN stuck <> '{}'", "RETURN false"),
            (
                "move_on", "is_settled = u.reached IS NULL AND NOT (e.was_busy OR u.is_busy)",
                "is_settled = u.reached IS NULL"
            ), meet: "enqueue after 84 (waits)", "settle 80 85",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "any end lets go whom another holds",
            ("without_open", "a.job_id = i.id ORDER BY a.needs LIMIT 1", "false LIMIT 1"),
            ("without_open", "a.job_id = i.id ORDER BY a.needs DESC", "false"),
            meet: "settle all, 85 has ended", "beat 1",
            finding: "nobody starts before whom it waits for has ended"),
        Mutant(
            "the last to end lets go whom another has failed",
            ("free_waiters", "tenure.without_failed(over)", "over"),
            meet: "settle 80, discarded", "end and settle 85",
            finding: "nobody starts before whom it waits for has ended"),
        Mutant(
            "who waits for one that was discarded goes on",
            ("find_waiters", "NOT a.goes_on AND e.outcome <> 'completed'", "false"),
            meet: "settle 80, discarded", "beat 1",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "of the last two ends the second doesn't come again",
            (
                "move_on", "is_settled = u.reached IS NULL AND NOT (e.was_busy OR u.is_busy)",
                "is_settled = u.reached IS NULL"
            ), meet: "end and settle 80", "end and settle 85",
            finding: "nobody waits for jobs that have ended"),
        Mutant(
            "what nobody else sees yet is settled though another is open",
            ("free_waiters", "IF NOT is_after THEN", "IF false THEN"),
            meet: "end and settle 80", "end and settle 85",
            finding: "nobody waits for jobs that have ended"),
    ]
}
