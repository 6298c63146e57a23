extension Mutant {
    /// Jobs that wait for keys.
    static let keyWaits = [
        Mutant(
            "a key's commit decides nothing",
            ("end_runs", "IF by_keys THEN", "IF false THEN"),
            meet: "end 81 (k19, awaited), impatient", "beat 1",
            finding: "a wait for a key is open while a job may bring the commit"),
        Mutant(
            "the short way passes those that wait for a key",
            ("complete_run", "ELSIF was.is_awaited THEN", "ELSIF false THEN"),
            meet: "commit 81 (k19, awaited)", "beat 1",
            finding: "a wait for a key is open while a job may bring the commit"),
        Mutant(
            "a pending job that is given up decides nothing",
            ("move_pending", "IF lost IS NOT NULL THEN", "IF false THEN"),
            meet: "enqueue after key k20", "cancel 92 (k20)",
            finding: "a wait for a key is open while a job may bring the commit"),
        Mutant(
            "who waits for a key locks it last",
            ("keys_of_waits", "(wait) WHERE w.wait ? 'key'", "(wait) WHERE false"),
            (
                "enqueue_linked", "RETURN QUERY SELECT a.* FROM",
                """
                PERFORM FROM tenure.subject_lock s WHERE s.key = 'k1' FOR NO KEY UPDATE;
                RETURN QUERY SELECT a.* FROM
                """
            ),
            meet: "commit 1 (k1)", "enqueue after key k1 (runs)",
            finding: "40P01"),
        Mutant(
            "who waits for a key doesn't say so",
            ("enter_keys", "SET is_awaited = true,", "SET is_awaited = false,"),
            ("decide_keys", "SET is_awaited = o.is_open,", "SET is_awaited = false,"),
            meet: "enqueue after key k20", "beat 1",
            finding: "a subject says whether its key is waited for"),
        Mutant(
            "a key is given up though a newer job of it is there",
            (
                "decide_keys", "coalesce(tenure.newest_alive(one.kind, one.key), 0)", "0"
            ), meet: "supersede k19 (awaited)", "discard 81 (k19, awaited)",
            finding: "no wait for a key fails while a job of it may commit"),
        Mutant(
            "a key that nobody's job may commit is still waited for",
            ("end_key", "OR w.generation > alive)", "OR false)"),
            meet: "discard 81 (k19, awaited)", "beat 1",
            finding: "a wait for a key is open while a job may bring the commit"),
        Mutant(
            "who waits for a key goes on when it is given up",
            (
                "end_key", "CASE WHEN d.is_done THEN 'completed' ELSE became END, true",
                "'completed', true"
            ), meet: "discard 81 (k19, awaited)", "beat 1",
            finding: "who waits for a key goes on behind its commit"),
        Mutant(
            "a commit that is there is not looked for",
            ("enter_keys", "PERFORM tenure.decide_keys(", "PERFORM array_cat("),
            meet: "enqueue after key k8 (committed)", "beat 1",
            finding: "a wait for a key is open while a job may bring the commit"),
        Mutant(
            "the end of a wait for a key is forgotten without the wait",
            (
                "drop_steps", "AND (NOT e.is_key OR e.id IN (SELECT i.id FROM unnest(idle) AS i))",
                ""
            ), meet: "enqueue after keys k8 (committed, asked for before), k9",
            "drop steps (k8, asked for before)",
            finding: "a wait for a key that is over has an end, and an open one has none"),
        Mutant(
            "nobody looks again at what waits for a key",
            ("mend_ends", "+ tenure.mend_keys(linked)", ""),
            meet: "sweep 90 (left behind)", "beat 1",
            finding: "a wait for a key is open while a job may bring the commit"),
    ]
}
