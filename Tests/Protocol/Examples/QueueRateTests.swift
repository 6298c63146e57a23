import TenurePostgres
import Testing

/// Rates of whole queues.
@Suite struct QueueRateTests {
    private func claimed(_ example: Example, _ session: String, few: Bool = false) async throws
        -> Int
    {
        try await example.rows(
            """
            SELECT c.id::text FROM tenure.claim\(few ? "_few" : "")(
                \(session), '\(example.own)', '{\(example.own)}', 20) AS c
            """
        ).count
    }

    private func rate(_ example: Example, _ pause: String, _ burst: Int) async throws {
        try await example.perform(
            "SELECT tenure.rate_queue('\(example.own)', \(pause), \(burst), 'me')")
    }

    private func pass(_ example: Example, _ time: String) async throws {
        try await example.perform(
            """
            UPDATE tenure.queue_holders SET next_at = next_at - interval '\(time)'
            WHERE queue = '\(example.own)';
            UPDATE tenure.lane_holders SET turn_at = turn_at - interval '\(time)',
                next_at = next_at - interval '\(time)'
            WHERE queue = '\(example.own)'
            """)
    }

    @Test(arguments: [false, true])
    func `A burst is had at once, and then what the rate brings`(_ few: Bool) async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 5)
            try await example.enqueue(Array(repeating: "", count: 40))
            #expect(try await claimed(example, session, few: few) == 5)
            #expect(try await claimed(example, session, few: few) == 0)
            try await pass(example, "59 min")
            #expect(try await claimed(example, session, few: few) == 0)
            try await pass(example, "2 min")
            #expect(try await claimed(example, session, few: few) == 1)
            try await pass(example, "150 min")
            #expect(try await claimed(example, session, few: few) == 2)
            try await pass(example, "100 h")
            #expect(try await claimed(example, session, few: few) == 5)
            try await rate(example, "NULL", 1)
            #expect(try await claimed(example, session, few: few) == 20)
        }
    }

    @Test func `It counts beside the limits of the queue and of its lanes`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 5)
            let lane = #""lane": "a", "lane_max_running": 2"#
            try await example.enqueue(Array(repeating: lane, count: 9))
            try await example.enqueue("")
            // One without a lane, two of the lane.
            #expect(try await claimed(example, session) == 3)
            try await example.enqueue(
                Array(repeating: #""lane": "b", "lane_max_running": 9"#, count: 9))
            #expect(try await claimed(example, session) == 2)
            try await pass(example, "100 h")
            try await example.perform("SELECT tenure.limit_queue('\(example.own)', 6)")
            #expect(try await claimed(example, session) == 1)
            // The limit goes, and what is owed stays.
            try await example.perform("SELECT tenure.limit_queue('\(example.own)', NULL)")
            #expect(try await claimed(example, session) == 4)
        }
    }

    @Test func `What is claimed starts at once, and none waits for a slot`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 50)
            try await example.enqueue(Array(repeating: "", count: 40))
            let ahead = try await example.claim(session, 20, more: ", ahead => 17")
            #expect(ahead.count == 3)
            #expect(try await example.claim(session, 20, more: ", ahead => 20").isEmpty)
        }
    }

    @Test func `Who looks when to come again is told when the rate lets one start`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 1)
            try await example.enqueue("", "")
            #expect(try await claimed(example, session) == 1)
            #expect(
                try await example.value(
                    """
                    SELECT (d.due_in BETWEEN '59 min' AND '1 h' AND d.guarded)::text
                    FROM tenure.next_due('\(example.own)', '{\(example.own)}') AS d
                    """) == "true")
            // One that claims from many queues leaves it to itself.
            #expect(
                try await example.value(
                    """
                    SELECT count(c.id)::text || ' of ' || count(*) FROM tenure.claim_queues(
                        \(session), '{\(example.own)}', '{\(example.own)}', '{5}', '{0}') AS c
                    """) == "0 of 1")
        }
    }

    @Test func `Who looks is told of lanes that wait for the rate, before and after it opens`()
        async throws
    {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 1)
            try await example.enqueue(#""lane": "a""#, #""lane": "a""#, #""lane": "b""#)
            #expect(try await claimed(example, session) == 1)
            #expect(try await claimed(example, session) == 0)
            func due(_ test: String) async throws -> String {
                try await example.value(
                    """
                    SELECT (d.due_in \(test) AND d.guarded)::text
                    FROM tenure.next_due('\(example.own)', '{\(example.own)}') AS d
                    """)
            }
            #expect(try await due("BETWEEN '59 min' AND '1 h'") == "true")
            try await pass(example, "1 h")
            #expect(try await due("<= '0'") == "true", "it has opened, and nobody has claimed")
            #expect(try await claimed(example, session) == 1)
        }
    }

    @Test func `A rate that changes leaves what was owed`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await rate(example, "'1 h'", 10)
            try await example.enqueue(Array(repeating: "", count: 60))
            #expect(try await example.claim(session, 7).count == 7)
            try await rate(example, "'1 h'", 5)
            try await rate(example, "'1 h'", 20)
            #expect(try await claimed(example, session) == 3)
            for (pause, burst) in [("1 h", 1), ("1 h", 9), ("2 h", 9), ("1 min", 9)] {
                try await rate(example, "'\(pause)'", burst)
                #expect(try await claimed(example, session) == 0, "\(pause), \(burst)")
            }
        }
    }

    @Test func `A step back of the clock takes away what was saved up`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        let example = Example(connection: connection, own: "stepped")
        let session = try await example.openSession()
        try await rate(example, "'10 s'", 8)
        try await example.enqueue(Array(repeating: "", count: 30))
        #expect(try await claimed(example, session) == 8)
        try await pass(example, "-59 min 20 s")
        try await example.perform(
            "SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), '1 h', 1)")
        #expect(try await claimed(example, session) == 0)
        try await pass(example, "11 s")
        #expect(try await claimed(example, session) == 1)
    }

    @Test func `A rate that there is not is refused`() async throws {
        try await Example.run { example in
            for call in [
                "'\(example.own)', '-1 s'", "'\(example.own)', '366 days'",
                "'\(example.own)', '1 s', 0", "'\(example.own)', '1 s', 10001",
                "'\(example.own)', '365 days', 11", "'', '1 s'",
            ] {
                let answer = try await example.refusal("SELECT tenure.rate_queue(\(call))")
                #expect(answer == "TN003", "\(call)")
            }
        }
    }
}
