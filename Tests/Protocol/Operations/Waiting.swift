/// What jobs wait for, who sends it, and what is kept of a handler that goes on later.
extension Operation {
    private static func wait(
        _ job: Int, for signal: String, within limit: String? = nil
    ) -> String {
        let time = limit.map { #", "for": "\#($0)""# } ?? ""
        return end(
            "waits", job, patient: false,
            more: """
                , 'also', '{"wait": [{"step": "\(signal)", "signal": "\(signal)"\(time)}]}'::jsonb
                """)
    }

    private static func signal(_ job: Int, _ name: String) -> String {
        """
        SELECT s.result FROM tenure.send_signal(
            \(id(job)), '\(name)', '{"by": "$me"}', NULL, 'someone') AS s
        """
    }

    private static func take(_ job: Int, _ name: String) -> String {
        """
        SELECT w.how::text
        FROM tenure.take_wait(\(id(job)), \(100 + job), '\(name)', '\(name)') AS w
        """
    }

    /// As if it had been sent before.
    private static func sent(_ name: String, to job: Int) -> String {
        """
        INSERT INTO tenure.job_signal (job_id, id, name)
        VALUES (\(id(job)), '00000000-0000-7000-8000-000000000001', '\(name)')
        ON CONFLICT DO NOTHING
        """
    }

    static let signalling = [
        Operation("signal 6 (runs)", signal(6, "s")),
        Operation("signal 1 (k1, runs)", signal(1, "s")),
        Operation("signal 32 (waits)", signal(32, "s")),
        Operation("signal 33 (k14, waits)", signal(33, "s")),
        Operation("signal 21 (finished)", signal(21, "s")),
        Operation(
            "signal k14",
            """
            SELECT s.result FROM tenure.send_signal_to_key(
                'k', 'k14', 's', NULL, NULL, 'someone') AS s
            """),
    ]

    static let waiting = [
        Operation("wait 6 for s", wait(6, for: "s")).waitingForNobody,
        Operation("wait 1 (k1) for s, 1 h", wait(1, for: "s", within: "1 h")).waitingForNobody,
        Operation("wait 6 for s, sent before", wait(6, for: "s"))
            .prepared(by: sent("s", to: 6)).waitingForNobody,
        Operation(
            "take s for 6, that was seen",
            write("p2", job: 6, key: nil, generation: nil, as: "hold"),
            """
            SELECT tenure.take_signal(
                \(id(6)), 106, 's', '00000000-0000-7000-8000-000000000001')::text
            """, hold(6)
        ).prepared(by: sent("s", to: 6)),
        Operation(
            "take s for 6", write("p2", job: 6, key: nil, generation: nil, as: "hold"),
            take(6, "s"), hold(6)
        ).prepared(by: sent("s", to: 6)),
        Operation(
            "take s for 1 (k1)", write("p2", job: 1, key: "k1", generation: 11, as: "hold"),
            take(1, "s"), hold(1)
        ).prepared(by: sent("s", to: 1)),
        Operation(
            "keep a step of 1 (k1)",
            write("p1", job: 1, key: "k1", generation: 11, as: "hold"),
            "SELECT tenure.keep_step(\(id(1)), 101, 'charge $me', 'Int', '1')::text", hold(1)),
        Operation(
            "coalesce k14 (waits)", enqueue(#""key": "k14", "mode": "coalescing""#)),
        Operation("supersede k14 (waits)", enqueue(#""key": "k14""#)),
        Operation("cancel 32 (waits)", cancel(32)),
        Operation("sweep 32 (stranded)", "SELECT tenure.sweep_waiting(NULL, 100)::text")
            .prepared(by: "DELETE FROM tenure.job_wait WHERE job_id = world.id(32)")
            .waitingForNobody.stranding,
        Operation("drop steps", "SELECT tenure.drop_steps('0')::text").waitingForNobody,
    ]
}
