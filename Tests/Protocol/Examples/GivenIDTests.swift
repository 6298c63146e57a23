import TenurePostgres
import Testing

/// An id that the caller gave stands for one enqueue, as long as its job or its history is kept.
@Suite struct GivenIDTests {
    private static let id = "01990000-0000-4000-8000-000000000001"
    private static let given = #""id": "\#(id)""#

    @Test(arguments: ["", #", "key": "a""#, #", "key": "a", "mode": "coalescing""#])
    func `The second enqueue of an id is kept, whatever has become of the first`(
        more: String
    ) async throws {
        try await Example.run { example in
            let job = Self.given + more
            #expect(try await example.enqueue(job)[0].result == "enqueued")
            func again(_ state: String) async throws {
                let second = try await example.enqueue(job, "")
                #expect(second[0].result == "kept" && second[0].id == Self.id, "\(state)")
                #expect(second[1].result == "enqueued", "\(state)")
                let rows = try await example.value(
                    """
                    SELECT ((SELECT count(*) FROM tenure.job WHERE id = '\(Self.id)')
                          + (SELECT count(*) FROM tenure.job_history WHERE id = '\(Self.id)'))::text
                    """)
                #expect(rows == "1", "\(state)")
                try await example.perform("DELETE FROM tenure.job WHERE id = '\(second[1].id)'")
            }
            try await again("available")
            try await example.claim(try await example.openSession())
            try await again("running")
            try await example.end(Self.id, "completed")
            try await again("completed")
        }
    }

    @Test func `Given twice in one call, it is enqueued once`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(Self.given, Self.given, Self.given)
            #expect(jobs.map(\.result) == ["enqueued", "kept", "kept"])
            #expect(Set(jobs.map(\.id)) == [Self.id])
        }
    }

    @Test func `Where another job of the key stands for it, that is the answer again`() async throws
    {
        try await Example.run { example in
            let first = try await example.enqueue(#""key": "a""#)[0]
            let coalesced = #""key": "a", "mode": "coalescing", "payload": 2, "# + Self.given
            #expect(try await example.enqueue(coalesced)[0] == ("updated", first.id))
            try await example.enqueue(#""key": "a", "mode": "coalescing", "payload": 3"#)
            #expect(try await example.enqueue(coalesced)[0] == ("kept", first.id))
            #expect(try await example.job(first.id, "payload") == "3")
        }
    }

    @Test func `An id that the library drew is known again when it is given later`() async throws {
        try await Example.run { example in
            let drawn = try await example.enqueue("")[0].id
            let given = #""id": "\#(drawn)""#
            #expect(try await example.enqueue(given)[0] == ("kept", drawn))
            try await example.claim(try await example.openSession())
            try await example.end(drawn, "completed")
            #expect(try await example.enqueue(given)[0] == ("kept", drawn))
        }
    }

    @Test func `Ids that nobody gave are written nowhere`() async throws {
        try await Example.run { example in
            try await example.enqueue("", #""key": "a""#, #""new_id": "\#(Self.id)""#)
            #expect(try await example.value("SELECT count(*)::text FROM tenure.given_id") == "0")
        }
    }

    @Test func `Enqueued again, a job whose run is over is no error`() async throws {
        try await Example.run { example in
            let run = try await example.value("SELECT gen_random_uuid()::text")
            let start = "SELECT tenure.start_batch('\(run)', NULL)::text"
            #expect(try await example.value(start) == "true")
            let job = Self.given + #", "batch_id": "\#(run)""#
            try await example.enqueue(job)
            try await example.claim(try await example.openSession())
            try await example.end(Self.id, "completed")
            try await example.perform("SELECT tenure.settle_batches('{\(run)}')")
            #expect(try await example.enqueue(job)[0].result == "kept")
            #expect(try await example.value(start) == "false")
        }
    }

    /// Whoever has just seen the job may be about to write of it.
    @Test(arguments: ["forget", "delete"])
    func `An id stays given when its job is forgotten or deleted`(verb: String) async throws {
        try await Example.run { example in
            try await example.enqueue(Self.given)
            try await example.perform("SELECT tenure.cancel_job('\(Self.id)', 'ada')")
            try await example.perform(
                "UPDATE tenure.given_id SET given_at = given_at - interval '2 days'")
            try await example.perform("SELECT tenure.\(verb)_job('\(Self.id)')")
            try await example.perform("SELECT tenure.drop_given_ids('1 day', NULL, NULL, 1000)")
            #expect(try await example.enqueue(Self.given)[0] == ("kept", Self.id))
            #expect(try await example.past(Self.id, "outcome") == "no row")
            // Forgotten once more, it is no newer.
            let age = "SELECT given_at::text FROM tenure.given_id WHERE id = '\(Self.id)'"
            let before = try await example.value(age)
            #expect(
                try await example.value("SELECT tenure.forget_job('\(Self.id)')") == "unknown")
            #expect(try await example.value(age) == before)
            try await example.perform("SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            #expect(try await example.enqueue(Self.given)[0] == ("enqueued", Self.id))
        }
    }

    @Test func `It is forgotten with its history, and only then`() async throws {
        try await Example.run { example in
            try await example.enqueue(Self.given)
            func sweep() async throws {
                try await example.perform(
                    "SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            }
            try await sweep()
            #expect(try await example.enqueue(Self.given)[0].result == "kept")
            try await example.claim(try await example.openSession())
            try await example.end(Self.id, "completed")
            try await sweep()
            #expect(try await example.enqueue(Self.given)[0].result == "kept")
            try await example.perform("DELETE FROM tenure.job_history WHERE id = '\(Self.id)'")
            try await sweep()
            #expect(try await example.enqueue(Self.given)[0].result == "enqueued")
        }
    }

    @Test(arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
    func `A job that came and ended since a transaction's snapshot is not run again`(
        isolation: String
    ) async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "given")
        let second = Example(connection: connections[1], own: "given")
        try await first.perform("BEGIN ISOLATION LEVEL \(isolation)")
        _ = try await first.value("SELECT count(*)::text FROM tenure.job")
        try await second.enqueue(Self.given)
        try await second.claim(try await second.openSession())
        try await second.end(Self.id, "completed")
        let enqueue = #"SELECT tenure.enqueue_jobs('[{"kind": "given", \#(Self.given)}]')"#
        let refusal = try await first.refusal(enqueue)
        #expect(refusal == (isolation == "READ COMMITTED" ? nil : "40001"))
        try await first.perform("COMMIT")
        #expect(try await second.value("SELECT count(*)::text FROM tenure.job") == "0")
        #expect(try await second.value("SELECT count(*)::text FROM tenure.job_history") == "1")
    }

    @Test func `Two at once enqueue it once, and who is rolled back has not`() async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "given")
        let second = Example(connection: connections[1], own: "given")
        for (end, answer) in [("ROLLBACK", "enqueued"), ("COMMIT", "kept")] {
            try await first.perform("BEGIN")
            let other = "01990000-0000-4000-8000-0000000000\(end == "COMMIT" ? 11 : 12)"
            try await first.enqueue(#""id": "\#(other)""#)
            async let waiting = second.enqueue(#""id": "\#(other)""#)
            try await Task.sleep(for: .milliseconds(100))
            try await first.perform(end)
            #expect(try await waiting[0] == (answer, other))
        }
    }
}
