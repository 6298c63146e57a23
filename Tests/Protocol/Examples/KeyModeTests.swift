import Testing

@Suite struct KeyModeTests {
    @Test func `Superseding retires what is pending and names its successor`() async throws {
        try await Example.run { example in
            let old = try await example.enqueue(#""key": "a""#)[0]
            let new = try await example.enqueue(#""key": "a""#)[0]
            #expect(try await example.past(old.id, "outcome") == "superseded")
            #expect(try await example.past(old.id, "superseded_by") == new.id)
            #expect(try await example.job(new.id, "state") == "available")
            #expect(try await example.subject("a", "floor = issued") == "true")
        }
    }

    @Test func `Superseding lets a run learn it from its subject`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let old = try await example.enqueue(#""key": "a""#)[0]
            try await example.claim(session)
            let new = try await example.enqueue(#""key": "a""#)[0]
            #expect(try await example.job(old.id, "state") == "running")
            #expect(try await example.job(new.id, "state") == "available")
            let verdict = try await example.value(
                """
                SELECT v.tag || (v.number = s.floor)::text FROM tenure.job j, tenure.subject s,
                    tenure.read_verdicts(ARRAY[j.id], ARRAY[j.fence]) AS v
                WHERE j.id = '\(old.id)' AND s.kind = j.kind
                """)
            #expect(verdict == "supersededtrue")
            #expect(try await example.end(old.id, "completed") == "superseded")
        }
    }

    @Test func `Coalescing keeps one successor with the newest payload`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await example.enqueue(#""key": "a", "mode": "coalescing""#)[0]
            try await example.claim(session)
            let next = try await example.enqueue(
                #""key": "a", "mode": "coalescing", "payload": {"n": 1}"#)[0]
            let same = try await example.enqueue(
                #""key": "a", "mode": "coalescing", "payload": {"n": 2}"#)[0]
            #expect(next.result == "enqueued" && same.result == "updated" && next.id == same.id)
            #expect(try await example.job(next.id, "state || payload::text") == #"waiting{"n": 2}"#)
            #expect(try await example.end(run.id, "completed") == "completed")
            #expect(try await example.job(next.id, "state") == "available")
        }
    }

    @Test func `Keeping returns the unfinished job, but not one on its way out`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a", "mode": "keeping""#)[0]
            let kept = try await example.enqueue(#""key": "a", "mode": "keeping""#)[0]
            #expect(kept == ("kept", first.id))
            try await example.claim(session)
            #expect(try await example.enqueue(#""key": "a", "mode": "keeping""#)[0] == kept)
            _ = try await example.value("SELECT tenure.cancel_job('\(first.id)', 'me')")
            #expect(
                try await example.enqueue(#""key": "a", "mode": "keeping""#)[0].result == "enqueued"
            )
        }
    }

    @Test func `Debounced moves the run time, never past the first enqueue and max_wait`()
        async throws
    {
        try await Example.run { example in
            let fields = #""key": "a", "mode": "debounced", "max_wait": "90 s", "after""#
            let first = try await example.enqueue(fields + #": "1 m""#)[0]
            #expect(try await example.job(first.id, "state") == "scheduled")
            let second = try await example.enqueue(fields + #": "1 h""#)[0]
            #expect(second == ("updated", first.id))
            #expect(try await example.job(first.id, "run_at - created_at") == "00:01:30")
        }
    }

    @Test func `Without overlap the new job waits until the old one has let go`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let old = try await example.enqueue(#""key": "a""#)[0]
            try await example.claim(session)
            let new = try await example.enqueue(#""key": "a", "overlap": false"#)[0]
            #expect(try await example.job(new.id, "state") == "waiting")
            #expect(try await example.claim(session).isEmpty)
            #expect(try await example.end(old.id, "failed") == "superseded")
            #expect(try await example.claim(session) == [new.id])
        }
    }
}
