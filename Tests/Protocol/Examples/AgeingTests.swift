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

    @Test func `Who can't start is no head, and does not age`() async throws {
        try await Example.run { example in
            let kind = "paused \(example.own)"
            try await example.perform(
                "INSERT INTO tenure.kind (name, paused_at) VALUES ('\(kind)', now())")
            func paused(_ priority: Int) async throws -> String {
                try await example.value(
                    """
                    SELECT e.job_id::text FROM tenure.enqueue('\(kind)', queue => '\(example.own)',
                        priority => \(priority), after => '-2 h') AS e
                    """)
            }
            let head = try await paused(0)
            var parked: [String] = []
            for _ in 1...12 { parked.append(try await paused(9)) }
            let expired = try await make(
                example, 1, minutes: 30, more: #", "not_after": "2001-01-01T00:00:00Z""#)
            let urgent = try await make(example, 3, minutes: 1)
            let late = try await make(example, 9, minutes: 60)
            try await setAgeing(example, "'10 min'")
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await example.job(late, "priority") == "3")
            #expect(try await order(example).prefix(4) == [head, expired, urgent, late])
            for job in parked { #expect(try await example.job(job, "priority") == "9") }
        }
    }

    @Test func `They stay in the order in which they waited, by dates of nobody's`() async throws {
        try await Example.run { example in
            let urgent = try await make(example, 0, minutes: 1)
            let later = try await make(example, 5, minutes: 30)
            let first = try await example.enqueue(
                #""priority": 7, "run_at": "2001-01-01T00:00:00Z""#)[0].id
            try await example.perform(
                "UPDATE tenure.job SET calendar = true WHERE id = '\(first)'")
            try await setAgeing(example, "'10 min'")
            try await example.perform("SELECT tenure.age_queues(10)")
            #expect(try await order(example) == [urgent, first, later])
            #expect(try await example.job(first, "calendar") == "false")
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
            // 30 days a month here, 30.4 there: what is taken is stored.
            let odd = "SELECT tenure.set_ageing('\(example.own)', '1 year -364 days')"
            #expect(try await example.refusal(odd) == nil)
            let name = "SELECT tenure.set_ageing('', '1 h')"
            #expect(try await example.refusal(name) == "TN003")
        }
    }
}
