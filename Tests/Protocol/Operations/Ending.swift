extension Operation {
    /// Ends runs as workers do, in groups.
    static func end(_ wanted: String, _ jobs: Int..., patient: Bool = true, more: String = "")
        -> String
    {
        let array = jobs.map { job in
            """
            jsonb_build_object('id', \(id(job)), 'fence', \(100 + job),
            'wanted', '\(wanted)'\(more))
            """
        }
        return """
            SELECT string_agg(e.became || ' ' || e.id, ', ')
            FROM tenure.end_runs(jsonb_build_array(\(array.joined(separator: ", "))),
            \(patient)) AS e
            """
    }

    /// - Parameter at: the jobs at whose rows to look first.
    static func complete(_ jobs: Int..., at rows: [Int]? = nil) -> String {
        let places = rows.map { rows in
            let each = rows.map { "(SELECT j.ctid FROM tenure.job j WHERE j.id = \(id($0)))" }
            return "ARRAY[\(each.joined(separator: ", "))]::tid[]"
        }
        let ids = jobs.map(id).joined(separator: ", ")
        let fences = jobs.map { "\(100 + $0)" }.joined(separator: ", ")
        return """
            SELECT string_agg(CASE WHEN g.is_left THEN 'left ' ELSE 'awaited ' END || g.id, ', ')
            FROM tenure.complete_group(
                ARRAY[\(ids)], ARRAY[\(fences)]::bigint[], \(places ?? "NULL")) AS g
            """
    }

    static let ending = [
        Operation("complete 6 13 18 23 7", complete(18, 6, 23, 13, 7)).waitingForNobody,
        Operation(
            "complete 6 13 18 23 7 by place",
            complete(18, 6, 23, 13, 7, at: [18, 6, 23, 13, 7])),
        Operation("complete 6 18, rows moved", complete(18, 6, at: [6, 1, 4, 8])),
        Operation("end 5 2 1 6, impatient", end("completed", 5, 6, 2, 1, patient: false))
            .waitingForNobody,
        Operation(
            "fail 1 2 6",
            end("failed", 6, 2, 1, more: ", 'error_code', 'x', 'error_message', 'y'")),
        Operation("snooze 1", end("snoozed", 1, more: ", 'delay', '1 m'")),
        Operation("discard 1", end("discarded", 1, more: ", 'reason', 'no use'")),
        Operation("hand back 1 2 13", end("handed_back", 13, 2, 1)),
        Operation("hand back 18", end("handed_back", 18)),
        Operation("hand back 29 (lane asleep)", end("handed_back", 29)),
        Operation(
            "fail 39 (in order)",
            end("failed", 39, more: ", 'error_code', 'x', 'error_message', 'y'")),
        Operation("complete 39 (in order)", end("completed", 39)),
        Operation("give back 1 13 29, not begun", end("unbegun", 29, 13, 1)),
        Operation(
            "29 goes on in room",
            end("snoozed", 29, more: #", 'also', '{"move": {"lane": "room"}}'::jsonb"#)),
        Operation(
            "29 goes on in a new lane",
            end("snoozed", 29, more: #", 'also', '{"move": {"lane": "new"}}'::jsonb"#)
        ).making("lane new"),
        Operation(
            "snooze 1, hold room",
            end(
                "snoozed", 1,
                more: """
                    , 'also', '{"hold": {"queue": "q", "lane": "room", "for": "1 m"}}'::jsonb
                    """)),
        Operation("let go 9 (cancelled)", end("cancelled", 9)),
        Operation("let go 24 (superseded)", end("superseded", 24)),
        Operation("snooze 26 (outdated)", end("snoozed", 26, more: ", 'delay', '1 m'")),
        Operation(
            "end 1 6, stale beside current",
            """
            SELECT string_agg(e.became || ' ' || e.id, ', ')
            FROM tenure.end_runs((
                SELECT jsonb_agg(jsonb_build_object(
                    'id', world.id(job), 'fence', fence, 'wanted', wanted, 'reason', reason,
                    'error_code', 'x', 'error_message', reason))
                FROM (VALUES (1, 99, 'discarded', 'stale'), (6, 106, 'failed', 'y'),
                             (1, 101, 'failed', 'y'), (6, 90, 'discarded', 'stale'))
                    AS e (job, fence, wanted, reason)), true) AS e
            """),
        Operation("hold back 1", end("held", 1, more: ", 'hold_version', '1'")),
    ]
}
