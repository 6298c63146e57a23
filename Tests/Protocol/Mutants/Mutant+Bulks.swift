extension Mutant {
    /// Superseding jobs in bulk, and one by one.
    static let bulks = [
        Mutant(
            "a subject is made or found by its one job, and not locked",
            ("supersede", "DO UPDATE SET made_at = l.made_at WHERE false", "DO NOTHING"),
            meet: "supersede k3 alone", "supersede k3",
            finding: "no pending job is below its floor"),
        Mutant(
            "a bulk's subjects are made or found, and not locked",
            (
                "lock_or_make_subjects", "DO UPDATE SET made_at = l.made_at WHERE false",
                "DO NOTHING"
            ), meet: bulk, "supersede k3", finding: "no pending job is below its floor"),
        Mutant(
            "a bulk looks for pending jobs above the newest generation",
            ("raise_floors", "greatest(s.floor, s.committed + 1)", "s.issued + 1"),
            meet: bulk, "beat 1", finding: "a key has one pending job"),
        Mutant(
            "a bulk leaves the floors",
            ("raise_floors", "floor = EXCLUDED.committed", "floor = s.floor"),
            meet: bulk, "beat 1",
            finding: "a successor does not start beside a run it waited for"),
        Mutant(
            "a bulk that meets one of its new keys locks none",
            ("make_subjects", "the order is begun anew.\n    RETURN NULL;", "…\n    RETURN 0;"),
            meet: "supersede twenty new keys in bulk", "supersede new key", finding: "lock"),
        Mutant(
            "a snapshot is trusted by a supersede of its own",
            ("supersede", "IF tenure.keeps_snapshot() THEN", "IF false THEN"),
            meet: "supersede k4 alone, no overlap, SERIALIZABLE", "reclaim",
            finding: "a key has one pending job"),
    ]

    private static let bulk = "supersede k3, new key, k1 in bulk"
}
