/// Jobs that wait for other jobs: what enqueues and ends them, and lets them go.
extension Operation {
    private static func after(_ jobs: Int..., goingOn: Bool = false) -> String {
        let word = goingOn ? "ended" : "completed"
        let waits = jobs.map { #"{"\#(word)": "00000000-0000-7000-8000-0000000000\#($0)"}"# }
        return #""queue": "w", "waits": [\#(waits.joined(separator: ", "))]"#
    }

    static func settleEnds(_ jobs: Int...) -> String {
        """
        SELECT string_agg(s.became || ' ' || s.id, ', ')
        FROM tenure.settle_ends(ARRAY[\(jobs.map(id).joined(separator: ", "))]) AS s
        """
    }

    private static let completeFolded = """
        SELECT string_agg(CASE WHEN g.is_left THEN 'left ' ELSE 'awaited ' END || g.id, ', ')
        FROM tenure.complete_group(
            ARRAY[\(id(82))], ARRAY[5121]::bigint[],
            ARRAY[(SELECT j.ctid FROM tenure.job j WHERE j.id = \(id(82)))]::tid[]) AS g
        """

    /// By its caller, in a transaction of his own.
    static let following = [
        Operation("enqueue after 82 (runs, folded)", enqueue(after(82))),
        Operation("enqueue after 83 (runs)", enqueue(after(83))),
        Operation("enqueue after 80 and 83 (run)", enqueue(after(80, 83))),
        Operation("enqueue after 80 (awaited)", enqueue(after(80))),
        Operation("enqueue after 85 80, however", enqueue(after(85, 80, goingOn: true))),
        Operation("enqueue after 84 (waits)", enqueue(after(84))),
        Operation("enqueue after 86 (k16, waits)", enqueue(after(86))),
        Operation("enqueue k18 after 88 (k17)", enqueue(after(88) + #", "key": "k18""#))
            .making("subject_lock k18"),
        Operation("enqueue after 21 (finished)", enqueue(after(21))),
        Operation("enqueue after 21 (finished, asked for before)", enqueue(after(21)))
            .prepared(by: "SELECT tenure.keep_ends(ARRAY[\(id(21))])"),
        Operation("enqueue after 22 (discarded)", enqueue(after(22))),
        Operation("enqueue after 22 (discarded, asked for before)", enqueue(after(22)))
            .prepared(by: "SELECT tenure.keep_ends(ARRAY[\(id(22))])"),
        Operation("enqueue 99 after 83", enqueue(after(83) + ", " + given(99)))
            .making("id 99"),
        Operation("supersede k16 (waits)", enqueue(#""key": "k16""#)),
        Operation("supersede k17 (awaited) after 83", enqueue(after(83) + #", "key": "k17""#)),
        Operation(
            "commit 80 (awaited), follow-up after 85",
            write("p1", job: 80, key: nil, generation: nil),
            finish(80, #", follow_ups => '[{"kind": "k", \#(after(85))}]'"#)),
    ]

    static let awaited = [
        Operation("complete 83 by place", complete(83, at: [83])),
        Operation("complete 82 by place, folded", completeFolded),
        Operation("complete 80 (awaited)", complete(80)).waitingForNobody,
        Operation("complete 85 (awaited) by place", complete(85, at: [85])),
        Operation("complete 18 83 (one waits for both)", complete(18, 83, at: [18, 83]))
            .prepared(by: enqueue(after(18, 83))),
        Operation("end 80 (awaited)", end("completed", 80)),
        Operation("end 85 80 (awaited), impatient", end("completed", 85, 80, patient: false))
            .waitingForNobody,
        Operation("discard 80 (awaited)", end("discarded", 80)),
        Operation("hand back 80 (awaited)", end("handed_back", 80)),
        Operation("end 85 (awaited)", end("completed", 85)),
        Operation("cancel 84 (waits for jobs)", cancel(84)),
        Operation("cancel 88 (awaited)", cancel(88)),
        Operation("settle 80 85", settleEnds(80, 85)).waitingForNobody
            .prepared(by: end("completed", 80, 85)),
        Operation("settle 80, discarded", settleEnds(80)).waitingForNobody
            .prepared(by: end("discarded", 80)),
        Operation("settle all, 85 has ended", "SELECT count(*)::text FROM tenure.settle_ends()")
            .waitingForNobody.prepared(by: end("completed", 85)).lookingAt("job 84"),
        Operation(
            "sweep 84 (left behind)",
            "SELECT 'released ' || s.released FROM tenure.sweep_waiting(NULL, 100) AS s"
        ).prepared(
            by: """
                WITH gone AS (DELETE FROM tenure.job WHERE id = \(id(80)) RETURNING *)
                INSERT INTO tenure.job_history (
                    id, kind, queue, fence, run_at, created_at, outcome, attempt, max_attempts,
                    runs, payload_version, priority, payload, reason)
                SELECT g.id, g.kind, g.queue, g.fence, g.run_at, g.created_at, 'discarded',
                       g.attempt, g.max_attempts, g.runs, g.payload_version, g.priority, g.payload,
                       'moved by hand'
                FROM gone g
                """
        ).stranding,
        Operation("end and settle 80", end("completed", 80), settleEnds(80))
            .lookingAt("job 84"),
        Operation("end and settle 85", end("completed", 85), settleEnds(85))
            .lookingAt("job 84"),
        Operation("claim w for 1", claim(1, "w", 4)).waitingForNobody,
        Operation("forget 99 (unknown)", forget(99)).making("id 99").waitingForNobody.forgetting,
        Operation(
            "forget 84 and give it again, after 83", forget(84, cancels: true),
            enqueue(after(83) + ", " + given(84))
        ).forgetting,
        Operation(
            "forget 86 (k16) and give it again, after 83", forget(86, cancels: true),
            enqueue(after(83) + #", "key": "k16", "# + given(86))
        ).forgetting,
    ]
}
