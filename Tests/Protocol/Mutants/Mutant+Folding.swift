extension Mutant {
    /// Claims that one row speaks for (docs/decisions/claim-rows.md).
    static let folding = [
        Mutant(
            "a claim row names whom another one names",
            ("fold_claim", "IF unseen <> '{}' THEN", "IF false THEN"),
            meet: "claim for 1, folded", "claim for 2, folded",
            finding: "a job runs once at a time"),
        Mutant(
            "a claim writes whom a claim row names",
            ("claim", "WHERE j.ctid = o.place AND (j.runs > 0", "WHERE j.ctid = o.place AND (true"),
            meet: "claim for 1", "claim for 2, folded",
            finding: "a run that a claim row speaks for is written as itself"),
        Mutant(
            "a short claim writes whom a claim row names",
            (
                "claim_few", "WHERE j.ctid = ANY (places)\n          AND NOT EXISTS (",
                "WHERE j.ctid = ANY (places)\n          AND true OR EXISTS ("
            ),
            meet: "claim few for 1", "claim few for 2, folded",
            finding: "a run that a claim row speaks for is written as itself"),
        Mutant(
            "a claim takes what claim rows speak for",
            ("claim", "AND (c.runs > 0 OR (c.id", "AND (true OR (c.id"),
            ("claim", "WHERE j.ctid = o.place AND (j.runs > 0", "WHERE j.ctid = o.place AND (true"),
            meet: "claim for 1", "beat 4",
            finding: "a run that a claim row speaks for is written as itself"),
        Mutant(
            "a verb does not ask for claim rows",
            ("lock_job", "IF tenure.unfold(ARRAY[lock_job.job]) > 0", "IF false"),
            meet: "cancel 71 (folded)", "beat 4",
            finding: "what a claim row speaks for ends by its fence"),
        Mutant(
            "a verb asks for claim rows before it locks",
            (
                "lock_job", "SELECT * INTO mine",
                "PERFORM tenure.unfold(ARRAY[lock_job.job]); "
                    + "SELECT * INTO mine"
            ),
            ("lock_job", "IF tenure.unfold(ARRAY[lock_job.job]) > 0 THEN", "IF false THEN"),
            meet: "claim for 2, folded", "cancel 78 (plain)",
            finding: "what a claim row speaks for ends by its fence"),
        Mutant(
            "a completion removes what has been written since",
            (
                "remove_folded",
                """
                AND j.runs = 0 AND j.fence IS NULL
                              AND j.queue <> ALL (unkept)
                """, "AND j.queue <> ALL (unkept)"
            ),
            // Newer servers find no row at another place; and who waits for long looks anew.
            ("remove_folded", "j.ctid = ANY (places)", "j.id = ANY (ids)"),
            ("try_removing", "'50ms'", "'5s'"),
            meet: "cancel 71 (folded)", "complete 71 72 76 by place",
            finding: "only a run completes"),
        Mutant(
            "a claim row goes before those it speaks for",
            ("settle_claims", "AND NOT EXISTS (", "AND true OR EXISTS ("),
            meet: "cancel 71 (folded)", "sweep claims",
            finding: "what a claim row speaks for ends by its fence"),
        Mutant(
            "a session is done with although a claim row speaks in its name",
            (
                "reclaim_runs",
                "AND NOT EXISTS (SELECT FROM tenure.claim_row c WHERE c.session_id = s.id)", ""
            ),
            meet: "cancel 74 (folded, dead)", "reclaim",
            finding: "a session is done with when nothing runs in its name"),
        Mutant(
            "a limit does not count what claim rows speak for",
            (
                "limit_queue", "FROM tenure.run_seen r WHERE",
                "FROM tenure.job r WHERE fence > 0 AND"
            ),
            meet: "limit q", "beat 4", finding: "a limit counts all that run"),
        Mutant(
            "a clock that is followed renames whom a claim row names",
            ("follow_clock", "WHERE m.id NOT IN (SELECT", "WHERE m.id IN (SELECT"),
            meet: "follow clock", "beat 4",
            finding: "who is named by a claim row is not made anew"),
    ]
}
