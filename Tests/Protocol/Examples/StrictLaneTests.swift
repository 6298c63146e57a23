import TenurePostgres
import Testing

/// Lanes in strict order, and the weights of lanes.
@Suite struct StrictLaneTests {
    private static let strict = #""lane": "a", "lane_strict": true, "lane_max_running": 9"#

    /// The payloads of a claim, in the order of the lane.
    private func claimed(
        _ example: Example, _ session: String, kinds: String? = nil, more: String = ""
    ) async throws -> [String] {
        try await example.rows(
            """
            SELECT c.payload::text FROM tenure.claim(
                \(session), '\(example.own)', '{\(kinds ?? example.own)}', 10\(more)) AS c
            ORDER BY c.priority, c.run_at, c.id
            """)
    }

    private func fill(_ example: Example, _ count: Int, _ more: String = "") async throws
        -> [String]
    {
        try await example.enqueue((1...count).map { Self.strict + #", "payload": \#($0)\#(more)"# })
            .map(\.id)
    }

    /// What waits for its time has waited for it, and lanes are looked at again.
    private func pass(_ example: Example) async throws {
        try await example.perform(
            """
            UPDATE tenure.job SET run_at = clock_timestamp() - interval '1 ms'
            WHERE queue = '\(example.own)' AND run_at > clock_timestamp();
            UPDATE tenure.lane_holders SET turn_at = '-infinity' WHERE queue = '\(example.own)'
            """)
    }

    @Test func `Jobs start one after the other, in the order of their calls`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            // Kinds by turns: the order is that of the call, whatever they are.
            try await example.perform(
                """
                SELECT count(*) FROM tenure.enqueue_jobs((
                    SELECT jsonb_agg(jsonb_build_object('kind', '\(example.own)' || n % 3,
                        'queue', '\(example.own)', 'payload', n, 'lane', 'a', 'lane_strict', true))
                    FROM generate_series(1, 200) AS n))
                """)
            let kinds = (0...2).map { "\(example.own)\($0)" }.joined(separator: ",")
            for number in 1...200 {
                #expect(try await claimed(example, session, kinds: kinds) == ["\(number)"])
                #expect(try await claimed(example, session, kinds: kinds).isEmpty)
                try await example.perform(
                    """
                    SELECT tenure.end_runs(jsonb_build_array(jsonb_build_object(
                        'id', j.id, 'fence', j.fence, 'wanted', 'completed')), true)
                    FROM tenure.job j WHERE j.queue = '\(example.own)' AND j.state = 'running'
                    """)
            }
        }
    }

    @Test(arguments: ["failed", "snoozed", "handed_back", "unbegun"])
    func `One that goes back keeps the others waiting`(_ wanted: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let ids = try await fill(example, 3)
            #expect(try await claimed(example, session) == ["1"])
            let isPutOff = wanted == "failed" || wanted == "snoozed"
            try await example.end(ids[0], wanted, more: isPutOff ? ", 'delay', '1 h'" : "")
            if isPutOff {
                #expect(try await claimed(example, session).isEmpty)
                try await pass(example)
            }
            #expect(try await claimed(example, session) == ["1"])
            try await example.end(ids[0], "completed")
            #expect(try await claimed(example, session) == ["2"])
        }
    }

    @Test func `One that waits for a signal keeps the others waiting`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let ids = try await fill(example, 2)
            #expect(try await claimed(example, session) == ["1"])
            try await example.end(
                ids[0], "waits",
                more: #", 'also', '{"wait": [{"step": "s", "signal": "go"}]}'::jsonb"#)
            #expect(try await example.job(ids[0], "state") == "waiting")
            try await pass(example)
            #expect(try await claimed(example, session).isEmpty)
            try await example.perform("SELECT tenure.signal('\(ids[0])', 'go')")
            try await pass(example)
            #expect(try await claimed(example, session) == ["1"])
        }
    }

    @Test(arguments: ["discard_job", "cancel_job"])
    func `Whoever ends it lets the lane go on, within a second`(_ verb: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let ids = try await fill(example, 2)
            #expect(try await claimed(example, session) == ["1"])
            try await example.end(ids[0], "failed", more: ", 'delay', '1 h'")
            #expect(try await claimed(example, session).isEmpty)
            #expect(
                try await example.value(
                    """
                    SELECT (h.turn_at - clock_timestamp() BETWEEN '0' AND '1 s')::text
                    FROM tenure.lane_holders h WHERE h.queue = '\(example.own)'
                    """) == "true")
            // No lane sleeps through its jobs: this one does not sleep.
            #expect(try await example.value("SELECT tenure.recall_lanes()::text") == "0")
            try await example.perform("SELECT tenure.\(verb)('\(ids[0])', 'me')")
            try await example.perform("SELECT pg_sleep(1.01)")
            #expect(try await claimed(example, session) == ["2"])
        }
    }

    @Test func `Nothing is passed over`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let other = #""kind": "\#(example.own)b", "#
            try await example.perform(
                """
                SELECT tenure.enqueue_jobs('[
                    {\(other)"queue": "\(example.own)", \(Self.strict), "payload": 1,
                     "payload_version": 2},
                    {"kind": "\(example.own)", "queue": "\(example.own)", \(Self.strict),
                     "payload": 2}]')
                """)
            // Of another kind, of a newer payload, of a kind that is paused.
            #expect(try await claimed(example, session).isEmpty)
            #expect(
                try await claimed(
                    example, session, kinds: "\(example.own),\(example.own)b",
                    more: ", wanted_versions => '{1,1}'"
                ).isEmpty)
            try await example.perform(
                "INSERT INTO tenure.kind (name, paused_at) VALUES ('\(example.own)b', now())")
            let both = "\(example.own),\(example.own)b"
            #expect(try await claimed(example, session, kinds: both).isEmpty)
            try await example.perform("DELETE FROM tenure.kind WHERE name = '\(example.own)b'")
            #expect(try await claimed(example, session, kinds: both) == ["1"])
        }
    }

    @Test func `What has expired, or is for later, is not in the way`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(
                Self.strict + #", "payload": 1, "priority": 0, "after": "1 h""#,
                Self.strict + #", "payload": 2, "priority": 1"#,
                Self.strict + #", "payload": 3"#)
            try await example.perform(
                """
                UPDATE tenure.job SET not_after = clock_timestamp() - interval '1 s'
                WHERE queue = '\(example.own)' AND payload = '2'
                """)
            #expect(try await claimed(example, session) == ["3"])
        }
    }

    @Test func `A lane that becomes strict goes on when what runs is over`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let free = #""lane": "a", "lane_max_running": 2"#
            let ids = try await example.enqueue(
                (1...4).map { free + #", "payload": \#($0)"# }
            ).map(\.id)
            #expect(try await claimed(example, session).count == 2)
            try await example.perform(
                """
                SELECT tenure.set_lane(
                    '\(example.own)', 'a', NULL, NULL, 'me', in_order => true)
                """)
            let running = try await example.rows(
                "SELECT id::text FROM tenure.job WHERE queue = '\(example.own)' "
                    + "AND state = 'running'")
            try await example.end(running[0], "completed")
            #expect(try await claimed(example, session).isEmpty)
            try await example.end(running[1], "failed", more: ", 'delay', '0'")
            #expect(
                try await example.rows(
                    """
                    SELECT c.id::text FROM tenure.claim(
                        \(session), '\(example.own)', '{\(example.own)}', 10) AS c
                    """) == [running[1]])
            #expect(ids.count == 4)
        }
    }

    @Test func `Of lanes with jobs and room each has turns by its weight`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            for (lane, weight) in [("a", 3), ("b", 1), ("c", 2)] {
                try await example.enqueue(
                    Array(
                        repeating: #""lane": "\#(lane)", "lane_weight": \#(weight), "#
                            + #""lane_max_running": 1000"#, count: 300))
            }
            func shares(_ wanted: Int, claims: Int) async throws -> [String] {
                var found: [String: Int] = [:]
                for _ in 0..<claims {
                    let lanes = try await example.rows(
                        """
                        SELECT c.lane FROM tenure.claim(
                            \(session), '\(example.own)', '{\(example.own)}', \(wanted)) AS c
                        """)
                    for lane in lanes { found[lane, default: 0] += 1 }
                }
                return found.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }
            }
            #expect(try await shares(1, claims: 60) == ["a30", "b10", "c20"])
            // In one call as in many.
            #expect(try await shares(120, claims: 1) == ["a60", "b20", "c40"])
            #expect(try await shares(24, claims: 3) == ["a36", "b12", "c24"])
            #expect(try await shares(1, claims: 6) == ["a3", "b1", "c2"])
        }
    }

    @Test(arguments: ["lane_weight\": 0", "lane_weight\": 101", "lane_weight\": -1"])
    func `A weight is 1 to 100`(_ field: String) async throws {
        try await Example.run { example in
            let number = field.split(separator: " ")[1]
            for call in [
                #"enqueue_jobs('[{"kind": "k", "lane": "a", "\#(field)}]')"#,
                "set_lane('q', 'a', 1, '0', 'me', new_weight => \(number))",
                "enqueue('k', lane => 'a', lane_weight => \(number))",
                "enqueue('k', lane_strict => true)",
            ] {
                let answer = try await example.refusal("SELECT tenure.\(call)")
                #expect(answer == "TN003", "\(call)")
            }
        }
    }
}
