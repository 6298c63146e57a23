import TenurePostgres
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

    @Test func `Keeping within a time returns a completed one, too, and no other`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let hourly = #""key": "a", "mode": "keeping", "within": "1 h""#
            let first = try await example.enqueue(hourly)[0]
            #expect(try await example.enqueue(hourly)[0] == ("kept", first.id))
            try await example.claim(session)
            try await example.end(first.id, "completed")
            #expect(try await example.enqueue(hourly)[0] == ("kept", first.id))
            // Each enqueue looks back by its own time; those of a call as if each came alone.
            let both = try await example.enqueue(hourly, #""key": "a", "mode": "keeping""#)
            #expect(both[0] == ("kept", first.id) && both[1].result == "enqueued")
            try await example.claim(session)
            try await example.end(both[1].id, "discarded")
            #expect(try await example.enqueue(hourly)[0] == ("kept", first.id))
            try await example.perform(
                "UPDATE tenure.kept_key SET made_at = made_at - interval '61 min'")
            #expect(
                try await example.enqueue(
                    #""key": "a", "mode": "keeping", "within": "2 h""#)[0] == ("kept", first.id))
            #expect(try await example.enqueue(hourly)[0].result == "enqueued")
        }
    }

    @Test func `A key is not held until a clock that was set back is there again`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let hourly = #""key": "a", "mode": "keeping", "within": "1 h""#
            let first = try await example.enqueue(hourly)[0]
            try await example.claim(session)
            try await example.end(first.id, "completed")
            func ahead(_ minutes: Int) async throws -> (result: String, id: String) {
                try await example.perform(
                    "UPDATE tenure.kept_key SET made_at = made_at + interval '\(minutes) min'")
                return try await example.enqueue(hourly)[0]
            }
            // So little that no time of its own has passed.
            #expect(try await ahead(59) == ("kept", first.id))
            let next = try await ahead(2)
            #expect(next.result == "enqueued")
            try await example.claim(session)
            try await example.end(next.id, "completed")
            #expect(try await example.enqueue(hourly)[0] == ("kept", next.id))
        }
    }

    @Test func `One that was not completed makes way within its time`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let hourly = #""key": "a", "mode": "keeping", "within": "1 h""#
            var last = ""
            for end in ["discarded", "cancelled"] {
                let job = try await example.enqueue(hourly)[0]
                #expect(job.result == "enqueued" && job.id != last)
                try await example.claim(session)
                if end == "cancelled" {
                    _ = try await example.value("SELECT tenure.cancel_job('\(job.id)', 'me')")
                }
                try await example.end(job.id, "discarded")
                last = job.id
            }
            let job = try await example.enqueue(hourly)[0]
            #expect(job.result == "enqueued")
            // So does one that was superseded, whatever becomes of its successor.
            let newer = try await example.enqueue(#""key": "a""#)[0]
            try await example.claim(session)
            try await example.end(newer.id, "completed")
            #expect(try await example.enqueue(hourly)[0].result == "enqueued")
        }
    }

    @Test func `What stands for a key is a completed job, and stays one`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let fields = #""key": "a", "mode": "keeping", "within""#
            func end(_ id: String, _ how: String) async throws {
                try await example.claim(session)
                try await example.end(id, how)
            }
            let given = try await example.enqueue(fields + #": "1 h""#)[0]
            try await end(given.id, "discarded")
            let other = try await example.enqueue(#""key": "a", "mode": "keeping""#)[0]
            try await end(other.id, "completed")
            // The one that was given up stands for nothing, though its key has committed since.
            let first = try await example.enqueue(fields + #": "1 h""#)[0]
            #expect(first.result == "enqueued")
            try await end(first.id, "completed")
            // Nor does one that never ran take its place.
            let short = try await example.enqueue(fields + #": "1 microsecond""#)[0]
            #expect(short.result == "enqueued")
            try await end(short.id, "discarded")
            #expect(try await example.enqueue(fields + #": "1 h""#)[0] == ("kept", first.id))
            // One that is deleted can't be had.
            #expect(try await example.value("SELECT tenure.delete_job('\(first.id)')") == "deleted")
            #expect(try await example.enqueue(fields + #": "1 h""#)[0].result == "enqueued")
        }
    }

    @Test func `What stands for a key is kept for its time, and the key with it`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let fields = #""key": "a", "mode": "keeping", "within": "1 h""#
            let job = try await example.enqueue(fields)[0]
            try await example.claim(session)
            try await example.end(job.id, "completed")
            let (keys, subjects) = (
                "SELECT tenure.drop_kept_keys(10)::text",
                "SELECT tenure.drop_idle_subjects('0 s', 10)::text"
            )
            #expect(try await example.value(keys) == "0")
            #expect(try await example.value(subjects) == "0")
            #expect(try await example.enqueue(fields)[0] == ("kept", job.id))
            try await example.perform(
                "UPDATE tenure.kept_key SET kept_until = clock_timestamp() - interval '1 s'")
            #expect(try await example.value(keys) == "1")
            #expect(try await example.value(subjects) == "1")
            #expect(try await example.enqueue(fields)[0].result == "enqueued")
        }
    }

    @Test func `A time to look back is for keeping, and is one`() async throws {
        try await Example.run { example in
            for fields in [
                #""key": "a", "within": "1 h""#, #""within": "1 h""#,
                #""key": "a", "mode": "keeping", "within": "0 s""#,
                #""key": "a", "mode": "keeping", "within": "-1 s""#,
                #""key": "a", "mode": "keeping", "within": "400000 days""#,
                #""key": "a", "mode": "keeping", "within": "-40000000 mons 1200000001 days""#,
            ] {
                let refusal = try await example.refusal(
                    "SELECT tenure.enqueue_jobs('[{\"kind\": \"k\", \(fields)}]')")
                #expect(refusal == "TN003", "\(fields)")
            }
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

    @Test func `One supersede alone does what a bulk of one does`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            func supersede(overlap: Bool = true) async throws -> String {
                let id = try await example.value("SELECT tenure.new_id()::text")
                let generation = try await example.value(
                    """
                    SELECT tenure.supersede('\(id)', '\(example.own)', '\(example.own)',
                        '{"n": 1}', 2::smallint, 3::smallint, 4, NULL, '0', NULL, NULL, NULL,
                        true, 'a', \(overlap))::text
                    """)
                return generation == "NULL" ? generation : id
            }
            let first = try await supersede()
            let second = try await supersede()
            #expect(try await example.past(first, "superseded_by") == second)
            #expect(
                try await example.job(
                    second, "concat(payload, payload_version, priority, max_attempts, state)")
                    == #"{"n": 1}234available"#)
            #expect(try await example.subject("a", "floor = issued") == "true")
            try await example.claim(session)
            let waiting = try await supersede(overlap: false)
            #expect(try await example.job(waiting, "state") == "waiting")
            try await example.perform(
                """
                INSERT INTO tenure.queue (name, keep_completed) VALUES ('\(example.own)', false)
                """)
            #expect(try await supersede() == "NULL")
            #expect(try await example.job(waiting, "state") == "waiting")
        }
    }

    @Test(arguments: ["enqueue_jobs", "finish"])
    func `A transaction that keeps its snapshot does not decide by an old subject`(
        what: String
    ) async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "view")
        let second = Example(connection: connections[1], own: "view")
        let job = try await first.enqueue(#""key": "a""#)[0]
        try await first.claim(try await first.openSession())
        let fence = try await first.job(job.id, "fence")
        try await first.perform("BEGIN ISOLATION LEVEL REPEATABLE READ")
        _ = try await first.value("SELECT count(*)::text FROM tenure.job")
        try await second.enqueue(#""key": "a""#)
        let statement =
            what == "finish"
            ? "SELECT tenure.finish('\(job.id)', \(fence))"
            : #"SELECT tenure.enqueue_jobs('[{"kind": "view", "key": "a"}]')"#
        #expect(try await first.refusal(statement) == "40001")
        try await first.perform("ROLLBACK")
        #expect(try await second.value("SELECT count(*)::text FROM tenure.subject") == "1")
    }
}
