extension Operation {
    /// A handler's write beside its outcome; the mark says which.
    static func write(
        _ page: String, job: Int, key: String?, generation: Int?, as verb: String = "commit"
    ) -> String {
        let keyed = key.map { "'k', '\($0)', \(generation ?? 0)" } ?? "NULL, NULL, NULL"
        return """
            WITH edit AS (UPDATE app.page SET body = 'result of $me' WHERE id = '\(page)')
            INSERT INTO app.effect (marker, job, kind, key, generation)
            VALUES ('$me \(verb) \(job)', \(id(job)), \(keyed))
            """
    }

    static func finish(_ job: Int, _ rest: String = "") -> String {
        """
        SELECT 'said commit \(job) ' || coalesce(string_agg(e.result || ' ' || e.id, ', '), '')
        FROM tenure.finish(\(id(job)), \(100 + job)\(rest)) AS e
        """
    }

    static func hold(_ job: Int, _ rest: String = "") -> String {
        """
        SELECT 'said hold \(job) ' || coalesce(string_agg(e.result || ' ' || e.id, ', '), '')
        FROM tenure.hold_run(\(id(job)), \(100 + job)\(rest)) AS e
        """
    }

    static let committing = [
        Operation(
            "commit 1 (k1)", write("p1", job: 1, key: "k1", generation: 11), finish(1)),
        Operation(
            "commit 2 (k2), follow-ups k1 k3 k2",
            write("p2", job: 2, key: "k2", generation: 12),
            finish(
                2,
                """
                , follow_ups => '[{"kind": "k", "queue": "q", "key": "k3", "mode": "coalescing"},
                {"kind": "k", "queue": "q", "key": "k1"},
                {"kind": "k", "queue": "q", "key": "k2", "mode": "coalescing"},
                {"kind": "k", "queue": "q"}]'
                """)),
        Operation(
            "commit 5 (k4, dead)", write("p3", job: 5, key: "k4", generation: 15), finish(5)),
        Operation("commit 7 (dead)", write("p3", job: 7, key: nil, generation: nil), finish(7)),
        Operation(
            "commit 9 (cancelled)", write("p4", job: 9, key: "k5", generation: 16), finish(9)
        ).waiting(for: "subject_lock k5", "job 9"),
        Operation(
            "commit 24 (superseded)", write("p4", job: 24, key: "k9", generation: 20), finish(24)
        ).waiting(for: "subject_lock k9", "job 24"),
        Operation(
            "hold 1 (k1), write", write("p1", job: 1, key: "k1", generation: 11, as: "hold"),
            hold(1)),
        Operation(
            "hold 2 (k2), follow-ups k1 k3 k2",
            write("p2", job: 2, key: "k2", generation: 12, as: "hold"),
            hold(
                2,
                """
                , follow_ups => '[{"kind": "k", "queue": "q", "key": "k3"},
                {"kind": "k", "queue": "q", "key": "k1", "mode": "coalescing"},
                {"kind": "k", "queue": "q", "key": "k2", "mode": "coalescing"},
                {"kind": "k", "queue": "q"}]'
                """)),
        Operation(
            "fail 1 in a transaction", write("p1", job: 1, key: "k1", generation: 11),
            finish(1, ", outcome => 'failed', reason => 'it broke'")),
    ]
}
