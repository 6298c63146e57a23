/// Jobs that wait for keys: what enqueues them, and what ends the jobs of such a key.
extension Operation {
    /// Waits for a key; `own` is its own.
    private static func after(_ keys: String..., own: String? = nil) -> String {
        let waits = keys.map { #"{"key": {"kind": "k", "key": "\#($0)"}}"# }
        return #""queue": "w", "waits": [\#(waits.joined(separator: ", "))]"#
            + (own.map { #", "key": "\#($0)""# } ?? "")
    }

    /// A wait for a key that is over, and that nobody has any more.
    private static let askedBefore = """
        WITH asked AS (
            INSERT INTO tenure.key_wait (id, kind, key, generation, is_open, made_at)
            SELECT tenure.new_id(), 'k', 'k8', 19, false, clock_timestamp() - interval '9 days'
            ON CONFLICT DO NOTHING RETURNING id, made_at)
        INSERT INTO tenure.job_end (id, made, outcome, is_key, is_settled, ended_at)
        SELECT a.id, a.made_at, 'completed', true, true, a.made_at FROM asked a
        """

    /// By its caller, in a transaction of his own.
    static let followingKeys = [
        Operation("enqueue after key k19 (awaited)", enqueue(after("k19"))),
        Operation("enqueue after key k20", enqueue(after("k20"))),
        Operation("enqueue after key k1 (runs)", enqueue(after("k1"))),
        Operation("enqueue after key k8 (committed)", enqueue(after("k8"))),
        Operation(
            "enqueue after keys k8 (committed, asked for before), k9", enqueue(after("k8", "k9"))
        )
        .prepared(by: askedBefore),
        Operation("enqueue k20 after key k19", enqueue(after("k19", own: "k20")))
            .closingCircle,
        Operation("enqueue k19 after key k20", enqueue(after("k20", own: "k19")))
            .closingCircle,
        Operation("supersede k19 (awaited)", enqueue(#""key": "k19""#)),
        Operation("supersede k19 (awaited) alone", supersede("k19")),
        Operation("coalesce k19 (awaited)", enqueue(#""key": "k19", "mode": "coalescing""#)),
        Operation(
            "commit 81 (k19, awaited)",
            write("p1", job: 81, key: "k19", generation: 30), finish(81)),
        Operation(
            "commit 81 (k19, awaited), follow-up after k19",
            write("p1", job: 81, key: "k19", generation: 30),
            finish(81, #", follow_ups => '[{"kind": "k", \#(after("k19"))}]'"#)),
    ]

    static let awaitedKeys = [
        Operation("complete 81 (k19, awaited) by place", complete(81, at: [81])),
        Operation("end 81 (k19, awaited), impatient", end("completed", 81, patient: false))
            .waitingForNobody,
        Operation("discard 81 (k19, awaited)", end("discarded", 81, more: ", 'reason', 'no use'")),
        Operation("hand back 81 (k19, awaited)", end("handed_back", 81)),
        Operation(
            "discard 92 (k20, pending)", "SELECT tenure.discard_job(\(id(92)), 'someone')"),
        Operation("cancel 92 (k20)", cancel(92)),
        Operation("cancel 90 (waits for k19)", cancel(90)),
        Operation("drop steps (k8, asked for before)", "SELECT tenure.drop_steps('0')::text")
            .waitingForNobody.prepared(by: askedBefore),
        Operation("settle 91, k19 has committed", settleEnds(91)).waitingForNobody
            .prepared(by: end("completed", 81)),
        Operation("settle 91, k19 was given up", settleEnds(91)).waitingForNobody
            .prepared(by: end("discarded", 81)),
        Operation(
            "sweep 90 (left behind)",
            "SELECT 'released ' || s.released FROM tenure.sweep_waiting(NULL, 100) AS s"
        ).prepared(
            by: """
                WITH gone AS (
                    DELETE FROM tenure.job WHERE id = \(id(81)) RETURNING *
                ), moved AS (
                    INSERT INTO tenure.job_history (
                        id, kind, queue, key, generation, fence, run_at, created_at, outcome,
                        attempt, max_attempts, runs, payload_version, priority, payload, reason)
                    SELECT g.id, g.kind, g.queue, g.key, g.generation, g.fence, g.run_at,
                           g.created_at, 'discarded', g.attempt, g.max_attempts, g.runs,
                           g.payload_version, g.priority, g.payload, 'moved by hand'
                    FROM gone g)
                UPDATE tenure.subject s SET given_up = g.generation, given_up_id = g.id
                FROM gone g WHERE s.key = g.key
                """
        ).stranding,
    ]
}
