import TenurePostgres
import Testing

/// Waiters beside what comes in their way: a job that comes in just then, a row that nobody can
/// move, a signal.
@Suite struct AfterBesideTests {
    /// One that comes in behind the locks is not locked, and may have ended, and its end be
    /// settled, before the edge to it is committed: nobody would let the waiter go.
    @Test func `Nobody waits for a job that came while he looked for another`() async throws {
        try await ContentionTests.pair { first, second in
            let session = try await first.openSession()
            let one = try await first.enqueue("")[0].id
            #expect(try await first.claim(session) == [one])
            let other = "00000000-0000-7000-8000-0000000009f4"
            try await second.perform("BEGIN")
            try await second.end(one, "completed")
            try await first.perform("BEGIN")
            async let refusal = first.refusedAlone(Example.after(one, other))
            try await second.waitUntilBlocking()
            try await second.enqueue(#""id": "\#(other)""#)
            // Marked already, it would not even be looked at again.
            try await second.enqueue(Example.after(other))
            try await second.perform("COMMIT")
            #expect(try await refusal == "TN003")
            try await first.perform("ROLLBACK")
            #expect(try await first.claim(session) == [other])
        }
    }

    /// As a row that was put there by hand, and that history doesn't take.
    @Test func `A waiter that can't be cancelled holds up no other`() async throws {
        try await ContentionTests.pair { example, second in
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
            func settle() async throws -> [String] {
                try await example.perform("UPDATE tenure.job_end SET again_at = now()")
                var said = ["more"]
                while said.contains("more") {
                    said = try await example.rows("SELECT s.became FROM tenure.settle_ends() AS s")
                }
                return said
            }
            let left = "SELECT id::text FROM tenure.job ORDER BY id"
            let pause = """
                SELECT extract(epoch FROM again_at - now())::integer::text FROM tenure.job_end
                WHERE id = '\(first)'
                """
            // One more is in somebody's hands just then: it comes again in a second.
            try await second.perform(
                "BEGIN; SELECT FROM tenure.job WHERE id = '\(waiters[4])' FOR UPDATE")
            var said = ["more"]
            var isLater = false
            while said.contains("more") {
                said = try await example.rows("SELECT s.became FROM tenure.settle_ends() AS s")
                isLater = isLater || said.contains("later")
            }
            #expect(isLater)
            #expect(try await example.rows(left) == [waiters[2], waiters[4]])
            #expect(try await example.value(pause) == "1")
            try await second.perform("COMMIT")
            _ = try await settle()
            #expect(try await example.rows(left) == [waiters[2]])
            #expect(try await example.value(pause) == "60")
            #expect(try await settle() == [])
            #expect(try await example.value(pause) == "60")
            try await example.perform("DROP TRIGGER refuse ON tenure.job_history")
            #expect(try await settle() == ["cancelled"])
        }
    }

    /// It is bounded, whatever the number of those that are refused.
    @Test func `Many waiters that can't be cancelled are tried fifty at a time`() async throws {
        try await ContentionTests.pair { example, _ in
            let first = try await example.enqueue("")[0].id
            let waits = Array(repeating: Example.after(first), count: 120)
            let last = try await example.enqueue(waits).map(\.id).max() ?? ""
            try await example.perform(
                """
                CREATE SEQUENCE tries;
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN PERFORM nextval(''tries''); RAISE ''none''; END';
                CREATE TRIGGER refuse BEFORE INSERT ON tenure.job_history FOR EACH ROW
                    WHEN (NEW.id <> '\(first)' AND NEW.id <> '\(last)')
                    EXECUTE FUNCTION refuse();
                SELECT tenure.discard_job('\(first)', 'ada')
                """)
            var calls = 0
            var said = ["more"]
            while said.contains("more") {
                said = try await example.rows("SELECT s.became FROM tenure.settle_ends() AS s")
                calls += 1
                let tries = try await example.value("SELECT last_value::text FROM tries")
                #expect(Int(tries) ?? .max <= calls * 60)
            }
            #expect(calls >= 3)
            // The healthy one, behind all others, was cancelled.
            #expect(try await example.past(last, "outcome") == "cancelled")
        }
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
