/// What is done with runs that a claim row speaks for, and the claims that write such rows.
extension Operation {
    /// The fences of those that run.
    private static let fences = [71: 2049, 72: 2050, 73: 2051, 74: 3073, 75: 3074, 76: 4097]

    private static func fence(_ job: Int) -> Int { fences[job] ?? 100 + job }

    private static func complete(folded jobs: Int..., at rows: [Int]? = nil) -> String {
        let places = rows.map { rows in
            let each = rows.map { "(SELECT j.ctid FROM tenure.job j WHERE j.id = \(id($0)))" }
            return "ARRAY[\(each.joined(separator: ", "))]::tid[]"
        }
        let ids = jobs.map(id).joined(separator: ", ")
        let fences = jobs.map { "\(fence($0))" }.joined(separator: ", ")
        return """
            SELECT string_agg(CASE WHEN g.is_left THEN 'left ' ELSE 'awaited ' END || g.id, ', ')
            FROM tenure.complete_group(
                ARRAY[\(ids)], ARRAY[\(fences)]::bigint[], \(places ?? "NULL")) AS g
            """
    }

    private static func end(_ wanted: String, folded jobs: Int..., patient: Bool = true) -> String {
        let array = jobs.map { job in
            """
            jsonb_build_object('id', \(id(job)), 'fence', \(fence(job)), 'wanted', '\(wanted)',
            'error_code', 'x', 'error_message', 'y')
            """
        }
        return """
            SELECT string_agg(e.became || ' ' || e.id, ', ')
            FROM tenure.end_runs(jsonb_build_array(\(array.joined(separator: ", "))),
            \(patient)) AS e
            """
    }

    static let folding = [
        Operation("claim for 1, folded", claim(1, "q", 4, more: ", NULL, NULL, 2"))
            .waitingForNobody,
        Operation("claim for 2, folded", claim(2, "q", 20, more: ", NULL, NULL, 19"))
            .waitingForNobody,
        Operation("claim few for 2, folded", claim(2, "few", 20, more: ", NULL, NULL, 19"))
            .waitingForNobody,
        Operation("cancel 34 (plain)", cancel(34)),
        Operation(
            "complete 71 72 76 by place", complete(folded: 71, 76, 72, at: [71, 76, 72])),
        Operation("complete 71 72 76 6", complete(folded: 72, 71, 76, 6)).waitingForNobody,
        Operation("complete 72 71, rows moved", complete(folded: 72, 71, at: [6, 71, 8])),
        Operation("fail 72 71 6", end("failed", folded: 72, 71, 6)),
        Operation("end 71 74 5, impatient", end("completed", folded: 71, 74, 5, patient: false))
            .waitingForNobody,
        Operation("give back 72 71, not begun", end("unbegun", folded: 72, 71)),
        Operation(
            "commit 71 (folded)", write("p1", job: 71, key: nil, generation: nil),
            "SELECT 'said commit 71 ' || count(*) FROM tenure.finish(\(id(71)), 2049) AS e"),
        Operation(
            "commit 74 (folded, dead)", write("p1", job: 74, key: nil, generation: nil),
            "SELECT 'said commit 74 ' || count(*) FROM tenure.finish(\(id(74)), 3073) AS e"),
        Operation(
            "hold 72 (folded), write",
            write("p2", job: 72, key: nil, generation: nil, as: "hold"),
            "SELECT 'said hold 72 ' || count(*) FROM tenure.hold_run(\(id(72)), 2050) AS e"),
        Operation("cancel 71 (folded)", cancel(71)),
        Operation("cancel 74 (folded, dead)", cancel(74)),
        Operation("cancel 78 (plain)", cancel(78)),
        Operation("discard 72 (folded)", "SELECT tenure.discard_job(\(id(72)), 'someone')"),
        Operation("edit 71 (folded)", edit(71, "payload => '{\"n\": 1}'")),
        Operation("edit 78 (plain)", edit(78, "payload => '{\"n\": 1}', queue => 'r'")),
        Operation("retry 71 (folded)", retry(71)),
        Operation("retry 78 (plain)", retry(78)),
        Operation("discard 78 74 71, many", operate("discard", 78, 74, 71)),
        Operation("sweep claims", "SELECT tenure.sweep_claims(10)::text").waitingForNobody,
    ]
}
