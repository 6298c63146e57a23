extension Operation {
    static func claim(
        _ session: Int, _ queue: String = "q", _ wanted: Int = 20, more: String = ""
    ) -> String {
        """
        SELECT coalesce(string_agg('claimed ' || c.id || ' ' || c.fence, ', '), 'nothing')
        FROM tenure.claim(\(session), '\(queue)', '{k}', \(wanted)\(more)) AS c
        """
    }

    static func claimFew(_ session: Int, more: String = "") -> String {
        """
        SELECT coalesce(string_agg('claimed ' || c.id || ' ' || c.fence, ', '), 'nothing')
        FROM tenure.claim_few(\(session), 'few', '{k}', 9\(more)) AS c
        """
    }

    /// All that runs in queue q has begun.
    static func note(_ session: Int) -> String {
        "SELECT tenure.note_begun(\(session), 'q', 3, 2, '{101}', '{129}')::text"
    }

    static func beat(_ session: Int, _ jobs: Int..., news: String = "NULL") -> String {
        let ids = jobs.map(id).joined(separator: ", ")
        let fences = jobs.map { "\(100 + $0)" }.joined(separator: ", ")
        return """
            SELECT string_agg(b.tag, ', ')
            FROM tenure.beat(\(session), ARRAY[\(ids)]::uuid[], ARRAY[\(fences)]::bigint[], 0,
                             \(news)) AS b
            """
    }

    static let sessions = [
        Operation("claim for 1", claim(1)).waitingForNobody,
        Operation("claim 2 for 4", claim(4, "q", 2, more: ", wanted_versions => '{1}'"))
            .waitingForNobody,
        Operation("claim all for 4", claim(4, more: ", wanted_versions => '{1}'")).waitingForNobody,
        Operation("claim limited", claim(2, "limited")).waitingForNobody,
        Operation(
            "claim of many queues for 4",
            """
            SELECT coalesce(string_agg('claimed ' || c.id || ' ' || c.fence, ', '), 'nothing')
            FROM tenure.claim_queues(4, '{s,q,limited}', '{k}', '{2,3,2}', '{0,2,0}', '{1}') AS c
            """
        ).waitingForNobody,
        Operation("claim in order for 1", claim(1, "o", 9)).waitingForNobody,
        Operation(
            "claim in order for 4, 39 having failed",
            claim(4, "o", 9, more: ", wanted_versions => '{1}'")
        ).prepared(by: end("failed", 39)).waitingForNobody,
        Operation("claim paced", claim(2, "paced")).waitingForNobody,
        Operation("claim few for 1", claimFew(1)).waitingForNobody,
        Operation("claim few for 4", claimFew(4, more: ", '{1}'")).waitingForNobody,
        Operation("claim for 3 (dead)", claim(3)).waitingForNobody,
        Operation("beat 4", beat(4, 2)).waitingForNobody,
        Operation("beat 1", beat(1, 1, 6, 9, 24)).waitingForNobody,
        Operation(
            "beat 1, with progress",
            beat(
                1, 1, 6,
                news: """
                    jsonb_build_array(jsonb_build_object(
                        'job', \(id(1)), 'fence', 101, 'done', 5, 'total', 10))
                    """)
        ).waitingForNobody,
        Operation("note for 1", note(1)).waitingForNobody,
        Operation("note for 3 (dead)", note(3)).waitingForNobody,
        Operation("claim 4, 3 ahead, for 1", claim(1, "q", 4, more: ", NULL, NULL, 3"))
            .waitingForNobody,
        Operation("declare 4 dead", "SELECT tenure.declare_dead(4, 7, 1)::text")
            .waitingForNobody,
        Operation("close 1", "SELECT tenure.close_session(1)::text").waitingForNobody,
        Operation(
            "reclaim",
            "SELECT string_agg(r.became || ' ' || r.id, ', ') FROM tenure.reclaim_runs(10) r"
        ).waitingForNobody,
    ]
}
