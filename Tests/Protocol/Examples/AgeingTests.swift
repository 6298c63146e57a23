import Testing

/// Less urgent jobs of a queue that have waited for long go to its front, where that is wanted.
@Suite struct AgeingTests {
    private func make(
        _ example: Example, _ priority: Int, minutes: Int, more: String = ""
    ) async throws -> String {
        let fields = #""priority": \#(priority), "after": "-\#(minutes) min"\#(more)"#
        return try await example.enqueue(fields)[0].id
    }

    private func order(_ example: Example) async throws -> [String] {
        try await example.rows(
            """
            SELECT j.id::text FROM tenure.job j WHERE j.queue = '\(example.own)'
            ORDER BY j.priority, j.run_at, j.id
            """)
    }

    private func setAgeing(_ example: Example, _ patience: String) async throws {
        try await example.perform("SELECT tenure.set_ageing('\(example.own)', \(patience), 'me')")
    }

    @Test func `Those that wait longest go behind what is due at the front`() async throws {
        try await Example.run { example in
            let urgent = try await make(example, 2, minutes: 1)
            let old = try await make(example, 9, minutes: 60)
            let older = try await make(example, 6, minutes: 90)
            let young = try await make(example, 5, minutes: 3)
            let later = try await example.enqueue(#""priority": 9, "after": "1 h""#)[0].id
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await order(example) == [urgent, young, older, old, later])
            try await setAgeing(example, "'10 min'")
            try await example.perform("SELECT tenure.age_queues(1)")
            #expect(try await order(example) == [urgent, older, young, old, later])
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await order(example) == [urgent, older, old, young, later])
            #expect(try await example.job(old, "priority") == "2")
            // What is at the front already stays where it is.
            let before = try await example.job(old, "run_at")
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await example.job(old, "run_at") == before)
            // Behind what is due, and not before it.
            #expect(
                try await example.job(old, "clock_timestamp() - run_at < interval '1 min'")
                    == "true")
        }
    }

    @Test func `One that runs or is claimed, is in a lane, or of a paused queue stays`()
        async throws
    {
        try await Example.run { example in
            let claimed = try await make(example, 8, minutes: 60)
            let session = try await example.openSession()
            try await example.claim(session, 1)
            _ = try await make(example, 1, minutes: 1)
            let laned = try await make(example, 8, minutes: 60, more: #", "lane": "l""#)
            try await setAgeing(example, "'10 min'")
            try await example.perform("SELECT tenure.age_queues(10)")
            for job in [claimed, laned] { #expect(try await example.job(job, "priority") == "8") }
            let late = try await make(example, 8, minutes: 60)
            try await example.perform(
                """
                UPDATE tenure.queue SET paused_at = clock_timestamp()
                WHERE name = '\(example.own)';
                SELECT tenure.age_queues(10)
                """)
            #expect(try await example.job(late, "priority") == "8")
            try await setAgeing(example, "NULL")
            try await example.perform(
                """
                UPDATE tenure.queue SET paused_at = NULL WHERE name = '\(example.own)';
                SELECT tenure.age_queues(10)
                """)
            #expect(try await example.job(late, "priority") == "8")
        }
    }

    @Test func `A claim finds what has aged`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await make(example, 1, minutes: 1)
            let old = try await make(example, 9, minutes: 60)
            for _ in 1...3 { _ = try await make(example, 2, minutes: 2) }
            try await setAgeing(example, "'10 min'")
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await example.claim(session, 2) == [first, old])
        }
    }

    @Test(arguments: ["'0'", "'-1 s'", "'0.5 s'", "'366 days'", "'infinity'::interval"])
    func `What is no patience is refused`(patience: String) async throws {
        try await Example.run { example in
            let call = "SELECT tenure.set_ageing('\(example.own)', \(patience))"
            let refused = try await example.refusal(call)
            #expect(refused == "TN003" || patience.contains("infinity") && refused != nil)
            #expect(try await example.refusal("SELECT tenure.age_queues(0)") == "TN003")
            let name = "SELECT tenure.set_ageing('', '1 h')"
            #expect(try await example.refusal(name) == "TN003")
        }
    }
}
