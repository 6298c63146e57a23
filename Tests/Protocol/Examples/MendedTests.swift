import Testing

/// What the functions did not do at first, and the design says or suggests.
@Suite struct MendedTests {
    @Test func `A limit that is set while jobs run counts them too`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            try await example.enqueue("", "", "", "")
            try await example.claim(session, 3)
            try await example.perform(
                "SELECT tenure.limit_queue('\(example.own)', 2)")
            let more = try await example.claim(session)
            #expect(more.isEmpty)
        }
    }

    @Test func `A debounced job's first run time keeps max_wait`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(
                #""key": "a", "mode": "debounced", "after": "1 h", "max_wait": "1 m""#)[0]
            let inTime = try await example.job(
                job.id, "run_at <= created_at + interval '61 seconds'")
            #expect(inTime == "true")
        }
    }

    @Test func `A snooze in a transaction gives way to its successor and keeps its writes`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""key": "a""#)[0]
            try await example.claim(session)
            try await example.enqueue(#""key": "a", "mode": "coalescing""#)
            let refusal = try await example.refusal(
                """
                SELECT tenure.finish(j.id, j.fence, 'snoozed') FROM tenure.job j
                WHERE j.id = '\(job.id)'
                """)
            #expect(refusal == nil)
        }
    }

    @Test func `Writes that do not end a job may have follow-ups, one of its own key too`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""key": "b""#)[0]
            try await example.claim(session)
            let made = try await example.rows(
                """
                SELECT e.result FROM tenure.job j, tenure.hold_run(j.id, j.fence, '[
                    {"kind": "\(example.own)", "key": "b", "mode": "coalescing"},
                    {"kind": "\(example.own)", "key": "a"}, {"kind": "\(example.own)"}]') AS e
                WHERE j.id = '\(job.id)'
                """)
            #expect(made == ["enqueued", "enqueued", "enqueued"])
            let states = try await example.rows(
                """
                SELECT state::text FROM tenure.job WHERE kind = '\(example.own)'
                ORDER BY key COLLATE "C" NULLS LAST, state
                """)
            #expect(states == ["available", "running", "waiting", "available"])
        }
    }

    @Test func `A claim is durable, so that no fence is given twice after a crash`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue("")
            try await example.perform("SET LOCAL synchronous_commit = off")
            try await example.claim(session)
            let setting = try await example.value("SHOW synchronous_commit")
            #expect(setting == "on")
        }
    }
}
