/// Commits of chunks: many jobs, one transaction.
extension Operation {
    /// The members, in any order, each with its page, its key and its generation.
    private static func chunk(
        _ name: String, _ members: [(job: Int, key: String?, generation: Int?)],
        _ rest: String = "", outcomes: [String]? = nil
    ) -> Operation {
        let values = members.map { member in
            let keyed = member.key.map { "'k', '\($0)', \(member.generation ?? 0)" }
            return "(\(member.job), \(keyed ?? "NULL, NULL, NULL::integer"))"
        }
        let jobs = members.map { id($0.job) }.joined(separator: ", ")
        let fences = members.map { "\(100 + $0.job)" }.joined(separator: ", ")
        let ends = outcomes ?? members.map { _ in "completed" }
        // What is put off may give way to a newer job, and its writes stay.
        let late = outcomes == nil ? "'late', 'cancelled', 'superseded'" : "'late', 'cancelled'"
        return Operation(
            name,
            """
            WITH edit AS (UPDATE app.page SET body = 'results of $me' WHERE id IN ('p1', 'p2'))
            INSERT INTO app.effect (marker, job, kind, key, generation)
            SELECT '$me commit ' || m.job, world.id(m.job), m.kind, m.key, m.generation
            FROM (VALUES \(values.joined(separator: ", "))) AS m (job, kind, key, generation)
            """,
            """
            SELECT 'said commit ' || ltrim(right(e.id::text, 12), '0')
            FROM tenure.finish_chunk(
                ARRAY[\(jobs)], ARRAY[\(fences)],
                '{\(ends.joined(separator: ","))}'\(rest)) AS e
            WHERE e.became NOT IN (\(late))
            """)
    }

    static let chunks = [
        chunk("chunk 2 1 6", [(2, "k2", 12), (1, "k1", 11), (6, nil, nil)]),
        chunk(
            "chunk 1 6 2, follow-ups k1 k3 k2",
            [(1, "k1", 11), (6, nil, nil), (2, "k2", 12)],
            """
            , follow_ups => '[{"kind": "k", "queue": "q", "key": "k3", "mode": "coalescing"},
            {"kind": "k", "queue": "q", "key": "k1"},
            {"kind": "k", "queue": "q", "key": "k2", "mode": "coalescing"},
            {"kind": "k", "queue": "q",
             "batch_id": "00000000-0000-7000-8000-000000000101"}]'
            """),
        chunk("chunk 7 5 (dead)", [(7, nil, nil), (5, "k4", 15)]),
        chunk(
            "chunk 13 1 18, each its own way", [(13, nil, nil), (1, "k1", 11), (18, nil, nil)],
            ", reasons => '{it broke,NULL,NULL}', delays => '{NULL,1 min,NULL}'",
            outcomes: ["failed", "snoozed", "completed"]),
        chunk("chunk 1 9 (one cancelled)", [(1, "k1", 11), (9, "k5", 16)]).waiting(
            for: "subject_lock k1", "subject_lock k5", "job 1", "job 9"),
        chunk("chunk 24 6 (one superseded)", [(24, "k9", 20), (6, nil, nil)]).waiting(
            for: "subject_lock k9", "job 24", "job 6"),
    ]
}
