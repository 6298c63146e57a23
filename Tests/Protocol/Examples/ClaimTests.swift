import Testing

@Suite struct ClaimTests {
    @Test func `Claims go by priority, run time and id, and are at most what was asked`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(
                #""run_at": "2020-01-02T00:00:00Z""#, #""run_at": "2020-01-01T00:00:00Z""#,
                #""priority": 1"#, #""after": "1 h", "priority": 0"#, #""priority": 9"#)
            #expect(try await example.claim(session, 2) == [jobs[2].id, jobs[1].id])
            #expect(try await example.claim(session, 1) == [jobs[0].id])
            #expect(try await example.claim(session, 5) == [jobs[4].id])
            #expect(try await example.job(jobs[4].id, "attempt || ' ' || runs") == "1 1")
        }
    }

    @Test func `A claim takes known kinds only, and nothing from a paused queue`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue("")
            let other = "FROM tenure.claim(\(session), '\(example.own)', '{other}', 5)"
            #expect(try await example.value("SELECT count(*)::text \(other)") == "0")
            try await example.perform(
                "INSERT INTO tenure.queue (name, paused_at) VALUES ('\(example.own)', now())")
            #expect(try await example.claim(session).isEmpty)
        }
    }

    @Test func `A queue's limit counts what runs, and a place is free when a run ends`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.perform(
                "INSERT INTO tenure.queue (name, max_running) VALUES ('\(example.own)', 2)")
            try await example.enqueue("", "", "")
            let taken = try await example.claim(session)
            #expect(taken.count == 2)
            #expect(try await example.claim(session).isEmpty)
            try await example.end(taken[0], "completed")
            #expect(try await example.claim(session).count == 1)
        }
    }

    @Test func `A lane keeps its limit and its interval`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let wide = #""lane": "wide", "lane_max_running": 2"#
            let slow = #""lane": "slow", "lane_max_running": 5, "lane_min_interval": "1 h""#
            try await example.enqueue(wide, wide, wide, slow, slow)
            let taken = try await example.claim(session)
            #expect(taken.count == 3)
            #expect(try await example.claim(session).isEmpty)
            for id in taken { try await example.end(id, "completed") }
            #expect(try await example.claim(session).count == 1)
            try await example.perform(
                """
                UPDATE tenure.lane_holders SET next_at = now(), turn_at = now()
                WHERE queue = '\(example.own)'
                """)
            #expect(try await example.claim(session).count == 1)
        }
    }

    @Test func `A claim begins behind a position, for each priority its own`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(
                #""run_at": "2020-01-01T00:00:00Z""#, #""run_at": "2020-01-02T00:00:00Z""#,
                #""run_at": "2020-01-01T00:00:00Z", "priority": 0"#)
            let behind = """
                , array_fill(NULL::timestamptz, ARRAY[5]) || '2020-01-01T00:00:00Z'::timestamptz,
                array_fill(NULL::uuid, ARRAY[5]) || '\(jobs[0].id)'::uuid
                """
            #expect(
                try await example.claim(session, more: behind) == [jobs[2].id, jobs[1].id])
            #expect(try await example.claim(session) == [jobs[0].id])
        }
    }

    @Test func `A session that is over claims nothing`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            _ = try await example.value("SELECT tenure.close_session(\(session))::text")
            let claim = "SELECT tenure.claim(\(session), '\(example.own)', '{\(example.own)}', 1)"
            #expect(try await example.refusal(claim) == "TN002")
        }
    }

    @Test func `A beat tells of runs, of jobs unknown to the worker, and of the others`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let peer = try await example.openSession()
            try await example.enqueue("", "")
            let jobs = try await example.claim(session)
            _ = try await example.value("SELECT tenure.cancel_job('\(jobs[0])', 'me')")
            let beat = """
                SELECT b.tag || ' ' || coalesce(CASE WHEN b.tag <> 'clock' THEN b.detail END, '')
                FROM tenure.job j, tenure.beat(
                    \(session), ARRAY[j.id, tenure.new_id()], ARRAY[j.fence, 1], 0, NULL) AS b
                WHERE j.id = '\(jobs[0])' ORDER BY 1
                """
            #expect(
                try await example.rows(beat) == [
                    "beat ", "cancelled me", "clock ", "lost ", "peer 0", "unknown ",
                ])
            #expect(
                try await example.value("SELECT tenure.declare_dead(\(session), 0, \(peer))::text")
                    == "false")
            #expect(
                try await example.value("SELECT tenure.declare_dead(\(session), 1, \(peer))::text")
                    == "true")
            #expect(try await example.rows(beat).contains("beat ") == false)
        }
    }
}
