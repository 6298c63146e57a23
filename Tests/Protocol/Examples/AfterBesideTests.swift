import TenurePostgres
import Testing

/// Waiters beside what comes in their way: a job that comes in just then, a row that nobody can
/// move, a signal.
@Suite struct AfterBesideTests {
    /// One that comes in behind the locks was neither locked nor marked.
    @Test func `Nobody waits for a job that came while he looked for another`() async throws {
        try await ContentionTests.pair { first, second in
            let session = try await first.openSession()
            let one = try await first.enqueue("")[0].id
            #expect(try await first.claim(session) == [one])
            let other = "00000000-0000-7000-8000-0000000009f4"
            try await second.perform("BEGIN")
            try await second.end(one, "completed")
            async let refusal = first.refusedAlone(Example.after(one, other))
            try await second.waitUntilBlocking()
            try await second.enqueue(#""id": "\#(other)""#)
            try await second.perform("COMMIT")
            #expect(try await refusal == "TN003")
            #expect(try await first.job(other, "has_waiters::text") == "false")
        }
    }

    /// As a row that was put there by hand, and that history doesn't take.
    @Test func `A waiter that can't be cancelled holds up no other`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        let example = Example(connection: connection, own: "own")
        let first = try await example.enqueue("")[0].id
        let waiters = try await example.enqueue(
            Array(repeating: Example.after(first), count: 5)
        ).map(\.id).sorted()
        try await example.perform(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE ''not this one''; END';
            CREATE TRIGGER refuse BEFORE INSERT ON tenure.job_history FOR EACH ROW
                WHEN (NEW.id = '\(waiters[2])') EXECUTE FUNCTION refuse();
            SELECT tenure.discard_job('\(first)', 'ada')
            """)
        for _ in 0..<2 {
            _ = try await example.settle()
            #expect(
                try await example.rows("SELECT id::text FROM tenure.job") == [waiters[2]])
        }
        // Looked at again in a minute, with the one that is left alone.
        let later = "SELECT (again_at > now() + interval '50 s')::text FROM tenure.job_end"
        #expect(try await example.value(later + " WHERE id = '\(first)'") == "true")
        try await example.perform("DROP TRIGGER refuse ON tenure.job_history")
        try await example.perform("UPDATE tenure.job_end SET again_at = now()")
        #expect(try await example.settle() == ["cancelled \(waiters[2])"])
    }

    @Test func `A signal doesn't start one that waits for a job`() async throws {
        try await Example.run { example in
            let first = try await example.enqueue("")[0].id
            let waiter = try await example.enqueue(Example.after(first))[0].id
            try await example.perform(
                """
                INSERT INTO tenure.job_wait (job_id, name, signal)
                VALUES ('\(waiter)', 'step', 'go')
                """)
            let sent = "SELECT tenure.signal('\(waiter)', 'go')"
            #expect(try await example.value(sent) == "kept")
            #expect(try await example.job(waiter, "state") == "waiting")
        }
    }
}
