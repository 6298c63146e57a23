import TenurePostgres
import Testing

/// Rates of lanes: how many may start, by what was paid.
@Suite struct RateTests {
    private static let lane = #""lane": "a", "lane_max_running": 100, "lane_min_interval""#

    /// How many of the lane a claim of twenty gets.
    private func claimed(_ example: Example, _ session: String) async throws -> Int {
        try await example.claim(session, 20).count
    }

    private func fill(_ example: Example, _ fields: String, _ count: Int = 30) async throws {
        for _ in 0..<count { try await example.enqueue(Self.lane + fields) }
    }

    /// `time` passes for the lanes.
    private func pass(_ example: Example, _ time: String) async throws {
        try await example.perform(
            """
            UPDATE tenure.lane_holders SET next_at = next_at - interval '\(time)',
                turn_at = turn_at - interval '\(time)' WHERE queue = '\(example.own)'
            """)
    }

    @Test func `A burst is had at once, and then what the rate brings`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, #": "1 h", "lane_burst": 5"#)
            // Four at a turn, and what is left in the next.
            #expect(try await claimed(example, session) == 5)
            #expect(try await claimed(example, session) == 0)
            try await pass(example, "59 min")
            #expect(try await claimed(example, session) == 0)
            try await pass(example, "2 min")
            #expect(try await claimed(example, session) == 1)
            try await pass(example, "150 min")
            #expect(try await claimed(example, session) == 2)
            try await pass(example, "100 h")
            #expect(try await claimed(example, session) == 5)
        }
    }

    @Test func `A lane that spent its burst rests until its next start`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, #": "1 h", "lane_burst": 3"#)
            #expect(try await claimed(example, session) == 3)
            let turn = """
                SELECT (h.turn_at - clock_timestamp() BETWEEN '59 min' AND '60 min')::text
                FROM tenure.lane_holders h WHERE h.queue = '\(example.own)'
                """
            #expect(try await example.value(turn) == "true")
            // A look that finds it shut leaves it there.
            #expect(try await claimed(example, session) == 0)
            #expect(try await example.value(turn) == "true")
        }
    }

    @Test func `Places in the lane bound a burst, too`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            for _ in 0..<9 {
                try await example.enqueue(
                    #""lane": "a", "lane_max_running": 2, "lane_min_interval": "1 s", "#
                        + #""lane_burst": 9"#)
            }
            #expect(try await claimed(example, session) == 2)
            #expect(try await claimed(example, session) == 0)
        }
    }

    @Test func `An interval that is set without a burst is kept between any two starts`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, #": "1 h", "lane_burst": 9"#)
            func set(_ rest: String) async throws {
                try await example.perform(
                    "SELECT tenure.set_lane('\(example.own)', 'a', \(rest))")
            }
            let burst = "SELECT burst::text FROM tenure.lane WHERE queue = '\(example.own)'"
            try await set("50, NULL, 'me'")
            #expect(try await example.value(burst) == "9")
            try await set("NULL, '2 h', 'me'")
            #expect(try await example.value(burst) == "1")
            #expect(try await claimed(example, session) == 1)
            try await set("NULL, '1 min', 'me', at_once => 4")
            #expect(try await example.value(burst) == "4")
            for size in [0, -1, 10_001] {
                #expect(
                    try await example.refusal(
                        "SELECT tenure.set_lane('q', 'a', 1, '1 s', 'me', at_once => \(size))")
                        == "TN003")
            }
        }
    }

    @Test func `A time that no burst can owe holds nothing but the burst`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, #": "1 min", "lane_burst": 5"#)
            try await example.perform(
                """
                UPDATE tenure.lane_holders SET next_at = clock_timestamp() + interval '9 days',
                    turn_at = clock_timestamp() WHERE queue = '\(example.own)'
                """)
            #expect(try await claimed(example, session) == 1)
            #expect(try await claimed(example, session) == 0)
        }
    }

    @Test func `A step back of the clock takes away what was saved up`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        let example = Example(connection: connection, own: "stepped")
        let session = try await example.openSession()
        try await fill(example, #": "10 s", "lane_burst": 8"#)
        #expect(try await claimed(example, session) == 8)
        // Written an hour ahead, with four of them paid back.
        try await pass(example, "-59 min 20 s")
        try await example.perform(
            "SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), '1 h', 1)")
        #expect(try await claimed(example, session) == 0)
        try await pass(example, "11 s")
        #expect(try await claimed(example, session) == 1)
    }

    /// By the clock as it was set back, and before anybody has found out.
    @Test func `A start since the step is not forgotten when the step is found`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        let example = Example(connection: connection, own: "stepped")
        let session = try await example.openSession()
        try await fill(example, #": "10 s""#)
        try await example.perform(
            """
            SELECT tenure.rate_queue('other', '10 s', 1, 'me');
            SELECT tenure.enqueue_jobs('[{"kind": "stepped", "queue": "other"},
                                         {"kind": "stepped", "queue": "other"}]')
            """)
        let other = """
            SELECT count(*)::text FROM tenure.claim(\(session), 'other', '{stepped}', 5)
            """
        #expect(try await claimed(example, session) == 1)
        #expect(try await example.value(other) == "1")
        try await example.perform(
            "SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), '1 h', 1)")
        #expect(try await claimed(example, session) == 0)
        #expect(try await example.value(other) == "0")
    }

    @Test(arguments: ["NULL", "'0'", "'-1 h'", "'-100000 years'", "'2000 years'"])
    func `A clock that was set back by no such time is not followed`(back: String) async throws {
        try await Example.run { example in
            let refusal = try await example.refusal(
                "SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), \(back), 1)")
            #expect(refusal == "TN003")
        }
    }

    @Test func `Limits that change leave what was owed`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, #": "1 h", "lane_burst": 10"#, 60)
            func set(_ pause: String, _ burst: Int) async throws {
                try await example.perform(
                    """
                    SELECT tenure.set_lane('\(example.own)', 'a', NULL, '\(pause)', 'me',
                        at_once => \(burst))
                    """)
            }
            try await pass(example, "0 s")
            #expect(try await example.claim(session, 7).count == 7)
            // Smaller and larger again: the three that were left.
            try await set("1 h", 5)
            try await set("1 h", 20)
            #expect(try await claimed(example, session) == 3)
            for (pause, burst) in [("1 h", 1), ("1 h", 9), ("2 h", 9), ("1 min", 9)] {
                try await set(pause, burst)
                #expect(try await claimed(example, session) == 0, "\(pause), \(burst)")
            }
            try await pass(example, "2 min")
            #expect(try await claimed(example, session) == 2)
        }
    }

    @Test(arguments: [
        #""lane_min_interval": "365 days", "lane_burst": 10000"#,
        #""lane_min_interval": "-1 year 365 days 6 hours", "lane_burst": 2"#,
        #""lane_min_interval": "-40000000 mons 1200000001 days""#,
        #""lane_min_interval": "-12 mons 361 days""#,
        #""lane_min_interval": "1 s", "lane_burst": 0"#,
    ])
    func `A lane that no clock can bear is refused`(fields: String) async throws {
        try await Example.run { example in
            let refusal = try await example.refusal(
                """
                SELECT tenure.enqueue_jobs('[{"kind": "k", "lane": "b", \(fields)}]')
                """)
            #expect(refusal == "TN003")
        }
    }

    @Test(arguments: [
        "min_interval = '365 days', burst = 10000", "min_interval = '-1 year 365 days 6 hours'",
        "min_interval = '-40000000 mons 1200000001 days', burst = 2",
    ])
    func `One that was written by hand keeps nobody else waiting`(limits: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            for _ in 0..<3 { try await example.enqueue(#""lane": "bad""#, #""lane": "good""#) }
            try await example.perform(
                "UPDATE tenure.lane SET \(limits) WHERE queue = '\(example.own)' AND name = 'bad'")
            #expect(try await claimed(example, session) >= 1)
            try await example.enqueue(#""lane": "bad""#, #""lane": "fresh""#)
            #expect(try await claimed(example, session) >= 1)
            try await example.perform(
                """
                SELECT tenure.age_lanes('10 min', 6);
                SELECT tenure.recall_lanes();
                SELECT tenure.follow_clock((SELECT c.steps FROM tenure.clock c), '1 h', 1);
                """)
        }
    }
}
