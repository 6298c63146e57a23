import Testing

@Suite struct LaneTests {
    private func fill(
        _ example: Example, _ lanes: Int, each: Int, most: Int = 2, interval: String = "0"
    ) async throws {
        try await example.perform(
            """
            SELECT count(*) FROM tenure.enqueue_jobs((
                SELECT jsonb_agg(jsonb_build_object('kind', '\(example.own)', 'queue',
                    '\(example.own)', 'lane', 'lane' || n % \(lanes), 'lane_max_running', \(most),
                    'lane_min_interval', '\(interval)'))
                FROM generate_series(0, \(lanes * each - 1)) AS n))
            """)
    }

    private func lanes(_ example: Example, _ session: String, _ wanted: Int) async throws
        -> [String]
    {
        try await example.rows(
            """
            SELECT c.lane FROM tenure.claim(
                \(session), '\(example.own)', '{\(example.own)}', \(wanted)) AS c
            """)
    }

    @Test func `One lane with a hundred thousand jobs does not keep another waiting`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, 1, each: 1, most: 1000)
            try await example.perform(
                """
                INSERT INTO tenure.job (id, kind, queue, lane, state, run_at, payload)
                SELECT gen_random_uuid(), '\(example.own)', '\(example.own)', 'lane0', 'available',
                       clock_timestamp(), '{}' FROM generate_series(2, 100000)
                """)
            try await example.enqueue(#""lane": "small""#)
            #expect(
                try await lanes(example, session, 5).sorted() == [
                    "lane0", "lane0", "lane0", "lane0", "small",
                ])
            try await example.enqueue(#""lane": "late""#)
            #expect(try await lanes(example, session, 1) == ["lane0"])
            #expect(try await lanes(example, session, 1) == ["late"])
        }
    }

    @Test func `Claims from a position go on from what a claim from the head has found in a lane`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let slow = #""lane": "host", "lane_max_running": 100, "lane_min_interval": "1 ms""#
            for _ in 0..<5 { try await example.enqueue(slow + #", "priority": 7"#) }
            func claimed(_ position: String = "") async throws -> [String] {
                // The lane opens a millisecond after its last claim.
                try await example.perform("SELECT pg_sleep(0.01)")
                return try await example.rows(
                    """
                    SELECT c.priority::text FROM tenure.claim(
                        \(session), '\(example.own)', '{\(example.own)}', 1\(position)) AS c
                    """)
            }
            let onward = """
                , array_fill('-infinity'::timestamptz, '{11}'),
                array_fill('00000000-0000-0000-0000-000000000000'::uuid, '{10}')
                """
            #expect(try await claimed(onward) == ["7"])
            for _ in 0..<3 { try await example.enqueue(slow + #", "priority": 3"#) }
            // What came later stands before the lane's last claim.
            #expect(try await claimed(onward) == ["7"])
            #expect(try await claimed() == ["3"])
            #expect(try await claimed(onward) == ["3"])
            #expect(try await claimed(onward) == ["3"])
            #expect(try await claimed(onward) == ["7"])
        }
    }

    @Test func `A thousand lanes take turns`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, 1000, each: 5)
            var seen: [String: Int] = [:]
            for _ in 0..<10 {
                for lane in try await lanes(example, session, 100) { seen[lane, default: 0] += 1 }
            }
            // Half of the lanes have had two places, and none a third.
            #expect(seen.values.allSatisfy { $0 == 2 })
            #expect(seen.count == 500)
            for _ in 0..<10 {
                for lane in try await lanes(example, session, 100) { seen[lane, default: 0] += 1 }
            }
            #expect(seen.count == 1000 && seen.values.allSatisfy { $0 == 2 })
            #expect(try await lanes(example, session, 100).isEmpty)
        }
    }

    @Test func `What a lane leaves over goes to those that can use it`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await fill(example, 2, each: 30, most: 20)
            let taken = try await lanes(example, session, 30)
            #expect(taken.count == 30)
            #expect(Set(taken) == ["lane0", "lane1"])
        }
    }

    @Test func `A lane on hold is left alone, costs no look, and is claimed from when it ends`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(#""lane": "a""#, #""lane": "b""#)
            let hold = "SELECT tenure.hold_lane('\(example.own)', 'a', '1 h', 'why', 'me')::text"
            _ = try await example.value(hold)
            #expect(try await lanes(example, session, 9) == ["b"])
            let turn = """
                SELECT (turn_at > now() + interval '50 m')::text FROM tenure.lane_holders
                WHERE queue = '\(example.own)' AND lane = 'a'
                """
            #expect(try await example.value(turn) == "true")
            let next = """
                SELECT (d.due_in > '50 m' AND d.due_in <= '1 h')::text
                FROM tenure.next_due('\(example.own)', '{\(example.own)}') AS d
                """
            #expect(try await example.value(next) == "true")
            try await example.enqueue(#""lane": "a""#)
            let calls = "SELECT count(*)::text FROM tenure.lane_call WHERE queue = '\(example.own)'"
            #expect(try await example.value(calls) == "0")
            #expect(try await lanes(example, session, 9).isEmpty)
            let release = "SELECT tenure.release_lane('\(example.own)', 'a')::text"
            #expect(try await example.value(release) == "true")
            #expect(try await lanes(example, session, 9) == ["a"])
            #expect(try await example.value(release) == "false")
        }
    }

    @Test func `A run that ends by a hold keeps its lane shut from the same commit on`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(#""lane": "a""#, #""lane": "a""#)
            let taken = try await example.claim(session)
            #expect(taken.count == 1)
            let hold = #"{"hold": {"queue": "\#(example.own)", "lane": "a", "for": "1 h"}}"#
            let became = try await example.end(
                taken[0], "snoozed", more: ", 'delay', '1 m', 'also', '\(hold)'::jsonb")
            #expect(became == "scheduled")
            #expect(try await example.job(taken[0], "attempt || ' ' || refunds") == "0 1")
            #expect(try await example.claim(session).isEmpty)
        }
    }

    @Test func `A lane without a due job sleeps until it is called`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(#""lane": "a", "lane_max_running": 2"#)
            let first = try await example.claim(session)
            #expect(try await example.claim(session).isEmpty)
            let turn = """
                SELECT turn_at::text FROM tenure.lane_holders WHERE queue = '\(example.own)'
                """
            #expect(try await example.value(turn) == "infinity")
            try await example.end(first[0], "failed", more: ", 'delay', '0 s'")
            #expect(try await example.claim(session) == first)
            try await example.end(first[0], "held")
            #expect(try await example.claim(session).isEmpty)
            _ = try await example.value("SELECT tenure.release_held('{\(example.own)}', '2')::text")
            #expect(try await example.claim(session) == first)
            try await example.end(first[0], "completed")
            let jobs = try await example.enqueue(#""lane": "a", "after": "1 h""#)
            #expect(try await example.claim(session).isEmpty)
            _ = try await example.rows(
                "SELECT r.result FROM tenure.retry_job('\(jobs[0].id)', tenure.new_id()) AS r")
            #expect(try await example.claim(session) == [jobs[0].id])
        }
    }

    @Test func `A job goes on in another lane, with another payload, under its limits`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(#""lane": "a", "key": "x""#, #""lane": "b""#)
            let taken = try await example.claim(session)
            let mine = try await example.value(
                "SELECT id::text FROM tenure.job WHERE lane = 'a' AND queue = '\(example.own)'")
            #expect(taken.count == 2)
            let move = #"{"move": {"lane": "b", "payload": {"hop": 1}}}"#
            #expect(
                try await example.end(mine, "snoozed", more: ", 'also', '\(move)'::jsonb")
                    == "available")
            #expect(try await example.job(mine, "lane || payload::text") == #"b{"hop": 1}"#)
            #expect(try await example.claim(session).isEmpty)  // b has no room
            for other in taken where other != mine { try await example.end(other, "completed") }
            #expect(try await example.claim(session) == [mine])
        }
    }

    @Test func `A job goes on with another payload for those who could not read the old one`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let slot = #""lane": "a", "lane_max_running": 2"#
            let ids = try await example.enqueue(slot, slot).map(\.id)
            #expect(try await example.claim(session) == ids)
            try await example.perform(
                "UPDATE tenure.job SET hold_versions = '{1}' WHERE queue = '\(example.own)'")
            for (id, payload) in zip(ids, ["", #", "payload": {"hop": 1}"#]) {
                let move = #"{"move": {"lane": "b"\#(payload)}}"#
                try await example.end(id, "snoozed", more: ", 'also', '\(move)'::jsonb")
            }
            #expect(try await example.claim(session) == [ids[1]])
        }
    }

    @Test func `Limits that were set stay, and a slower pace is kept`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let set = "SELECT tenure.set_lane('\(example.own)', 'a', 3, '0', 'me')::text"
            _ = try await example.value(set)
            try await example.enqueue(
                #""lane": "a", "lane_max_running": 1"#, #""lane": "a""#, #""lane": "a""#,
                #""lane": "b", "lane_max_running": 9"#, #""lane": "b""#)
            for lane in ["a", "b"] {
                _ = try await example.value(
                    "SELECT tenure.slow_lane('\(example.own)', '\(lane)', '1 m')::text")
            }
            #expect(try await lanes(example, session, 9).sorted() == ["a", "a", "a", "b"])
        }
    }

    @Test func `A lane that nobody needs is dropped, and comes back with its next job`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let own = "queue = '\(example.own)'"
            try await example.perform(
                "SELECT tenure.set_lane('\(example.own)', 'mine', 3, '0', 'me')")
            let jobs = try await example.enqueue(
                #""lane": "done""#, #""lane": "held""#, #""lane": "later", "after": "1 h""#)
            let taken = try await example.claim(session)
            #expect(taken.count == 2)
            for id in taken {
                try await example.end(id, id == jobs[0].id ? "completed" : "held")
            }
            #expect(try await example.claim(session).isEmpty)
            _ = try await example.value("SELECT tenure.drop_idle_lanes('0 s', 100)::text")
            let left = "SELECT name FROM tenure.lane WHERE \(own) ORDER BY name"
            #expect(try await example.rows(left) == ["held", "later", "mine"])
            try await example.enqueue(#""lane": "done""#)
            #expect(try await lanes(example, session, 9) == ["done"])
        }
    }

    @Test func `What waits too long behind more urgent jobs of its lane goes to the front`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            for priority in [7, 7, 7, 9] {
                try await example.enqueue(#""lane": "a", "priority": \#(priority)"#)
            }
            try await example.enqueue(#""lane": "alone", "priority": 9"#)
            try await example.enqueue(#""lane": "later", "priority": 9"#)
            let paced = #""lane": "paced", "lane_min_interval": "1 h", "priority""#
            try await example.enqueue("\(paced): 9")
            try await example.perform(
                """
                UPDATE tenure.job SET run_at = run_at - interval '1 h'
                WHERE queue = '\(example.own)' AND lane IN ('a', 'alone', 'paced');
                UPDATE tenure.lane_holders SET turn_at = now() + interval '50 min'
                WHERE queue = '\(example.own)' AND lane = 'paced'
                """)
            try await example.enqueue("\(paced): 2")
            for _ in 1...5 { try await example.enqueue(#""lane": "a", "priority": 2"#) }
            try await example.enqueue(#""lane": "later", "priority": 2"#)
            let age = "SELECT tenure.age_lanes('10 min', 2)::text"
            // One of the paced lane, which waits for its interval as it always does.
            #expect(try await example.value(age) == "3")
            // Those two stand before the others by their time; the rest has waited as long, and
            // follows with the next look.
            let raised = """
                SELECT count(*)::text FROM tenure.job j
                WHERE j.lane = 'a' AND j.queue = '\(example.own)' AND j.priority = 2
                  AND j.run_at < now() - interval '30 min'
                """
            #expect(try await example.value(raised) == "2")
            let first = """
                SELECT c.run_at < now() - interval '30 min' FROM tenure.claim(
                    \(session), '\(example.own)', '{\(example.own)}', 9) AS c
                WHERE c.lane = 'a' ORDER BY c.priority, c.run_at LIMIT 1
                """
            #expect(try await example.rows("SELECT (\(first))::text") == ["true"])
            #expect(try await example.value(age) == "2")
            #expect(try await example.value(age) == "0")
        }
    }

    @Test func `A lane that was left asleep beside its jobs is called`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(#""lane": "a""#)
            try await example.perform(
                """
                UPDATE tenure.lane_holders SET turn_at = now() + interval '1 h'
                WHERE queue = '\(example.own)'
                """)
            #expect(try await example.claim(session).isEmpty)
            #expect(try await example.value("SELECT tenure.recall_lanes()::text") == "1")
            #expect(try await example.claim(session).count == 1)
        }
    }
}
