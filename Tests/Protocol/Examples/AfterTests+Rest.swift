import TenurePostgres
import Testing

extension AfterTests {
    @Test func `A name stands for the job that stands for it`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let kept = try await example.enqueue(#""key": "a""#)[0].id
            let given = #""id": "00000000-0000-7000-8000-0000000009d4", "key": "a""#
            let jobs = try await example.enqueue(
                #"\#(given), "mode": "keeping""#,
                Example.after("00000000-0000-7000-8000-0000000009d4"))
            #expect(jobs[0].result == "kept" && jobs[0].id == kept)
            let late = try await example.enqueue(
                Example.after("00000000-0000-7000-8000-0000000009d4"))[0].id
            try await example.claim(session)
            try await example.end(kept, "completed")
            #expect(
                Set(try await example.settle()) == ["released \(jobs[1].id)", "released \(late)"])
        }
    }

    /// Of those one is the one that tells: it may be just that which a hand has written.
    @Test func `Ends that go together are all settled, where a hand wrote one`() async throws {
        try await Example.run { example in
            let ids = try await example.enqueue("", "").map(\.id)
            try await example.enqueue(Example.after(ids[0], ids[1]))
            try await example.perform(
                """
                INSERT INTO tenure.job_end (id, made, outcome, is_settled)
                SELECT j.id, j.created_at, 'completed', true FROM tenure.job j
                WHERE j.id = '\(ids.min() ?? "")'
                """)
            let noted = try await example.value(
                """
                SELECT cardinality(tenure.note_completed(array_agg(j.id), array_agg(j.created_at)))
                       ::text FROM tenure.job j WHERE j.id IN ('\(ids[0])', '\(ids[1])')
                """)
            #expect(noted == "2")
            #expect(
                try await example.value(
                    """
                    SELECT count(*)::text FROM tenure.job_end e
                    WHERE e.id IN ('\(ids[0])', '\(ids[1])') AND NOT e.is_settled
                    """) == "2")
        }
    }

    @Test func `An id that comes back is another job`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let name = "00000000-0000-7000-8000-0000000009e5"
            try await example.enqueue(#""id": "\#(name)""#)
            let waiter = try await example.enqueue(Example.after(name))[0].id
            try await example.claim(session)
            try await example.end(name, "completed")
            try await example.perform("SELECT tenure.delete_job('\(name)')")
            try await example.enqueue(#""new_id": "\#(name)""#)
            // The wait is over, although a job of that id is unfinished.
            #expect(try await example.settle() == ["released \(waiter)"])
            // Who waits for that one does not go by the old one's end.
            let next = try await example.enqueue(Example.after(name))[0].id
            #expect(try await example.job(next, "state") == "waiting")
        }
    }

    @Test func `Its run time, and its expiry, go on while it waits`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue("")[0].id
            let later = try await example.enqueue(
                #""after": "1 h", \#(Example.after(first))"#)[0].id
            let short = try await example.enqueue(
                #""expires_in": "1 h", \#(Example.after(first))"#)[0].id
            #expect(
                try await example.value(
                    "SELECT tenure.edit_job('\(later)', 'ada', after => '2 h')") == "edited")
            #expect(try await example.job(later, "state") == "waiting")
            try await example.perform(
                "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(short)'")
            #expect(try await example.value("SELECT id::text FROM tenure.expire_jobs(9)") == short)
            try await example.claim(session)
            try await example.end(first, "completed")
            #expect(try await example.settle() == ["released \(later)"])
            #expect(
                try await example.job(
                    later, "state || ' ' || (run_at > clock_timestamp() + interval '1 h')")
                    == "scheduled true")
        }
    }

    @Test func `Nobody who has a waiter locked holds up the others`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue("")[0].id
            let waiters = try await example.enqueue(
                Array(repeating: Example.after(first), count: 30)
            ).map(\.id)
            try await example.claim(session, 1)
            try await example.end(first, "completed")
            // Bites of seven: it goes on behind those that were looked at.
            var freed: [String] = []
            for _ in 1...6 { freed += try await example.settle(atMost: 7) }
            #expect(Set(freed) == Set(waiters.map { "released \($0)" }) && freed.count == 30)
            #expect(
                try await example.value("SELECT is_settled::text FROM tenure.job_end") == "true")
        }
    }

    @Test func `What is left behind is found by the sweep`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", "").map(\.id)
            let waiters = try await example.enqueue(
                Example.after(jobs[0]), Example.after(jobs[1])
            ).map(\.id)
            try await example.claim(session)
            try await example.end(jobs[0], "completed")
            // As if somebody had settled it and let nobody go; and as if a hand had taken a job.
            try await example.perform("UPDATE tenure.job_end SET is_settled = true")
            try await example.perform("DELETE FROM tenure.job WHERE id = '\(jobs[1])'")
            #expect(try await example.settle() == [])
            try await example.perform("SELECT tenure.sweep_waiting(NULL, 5000)")
            #expect(
                Set(try await example.settle())
                    == ["released \(waiters[0])", "cancelled \(waiters[1])"])
            #expect(
                try await example.past(waiters[1], "reason")
                    == "after: job \(jobs[1]) was discarded: nothing is known of its end")
            #expect(
                try await example.value(
                    "SELECT s.released::text FROM tenure.sweep_waiting(NULL, 5000) AS s") == "0")
        }
    }

    @Test func `How one ended is kept as long as somebody waits`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", "").map(\.id)
            let waiter = try await example.enqueue(Example.after(jobs[0], jobs[1]))[0].id
            try await example.claim(session)
            try await example.end(jobs[0], "completed", more: ", 'result', '{\"n\": 1}'::jsonb")
            _ = try await example.settle()
            try await example.perform("DELETE FROM tenure.job_history")
            try await example.perform("SELECT tenure.drop_steps('0')")
            #expect(
                try await example.value(
                    "SELECT result::text FROM tenure.job_end WHERE id = '\(jobs[0])'")
                    == #"{"n": 1}"#)
            try await example.end(jobs[1], "completed")
            #expect(try await example.settle() == ["released \(waiter)"])
            try await example.claim(session)
            try await example.end(waiter, "completed")
            let left = """
                SELECT (SELECT count(*) FROM tenure.job_after) || ' ' ||
                       (SELECT count(*) FROM tenure.job_end)
                """
            // What was ended and looked at in one transaction is looked at once more.
            try await example.perform("UPDATE tenure.job_end SET again_at = '-infinity'")
            #expect(try await example.settle() == [])
            // As long as the waiter is in history, however long ago it was enqueued.
            try await example.perform("SELECT tenure.drop_steps('0')")
            #expect(try await example.value(left) == "2 2")
            try await example.perform("DELETE FROM tenure.job_history")
            try await example.perform("SELECT tenure.drop_steps('0')")
            #expect(try await example.value(left) == "0 0")
        }
    }

    @Test func `A reason that begins like one of ours spoils nothing`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let forged = [String(repeating: "-", count: 36), String(repeating: "0", count: 36)]
            for (number, id) in forged.enumerated() {
                let key = "\(example.own)\(number)"
                let job = try await example.enqueue(#""key": "\#(key)""#)[0].id
                try await example.claim(session)
                _ = try await example.enqueue(
                    #""waits": [{"key": {"kind": "\#(example.own)", "key": "\#(key)"}}]"#)
                try await example.end(
                    job, "discarded", more: ", 'reason', 'after: job \(id) was discarded'")
                #expect(try await example.settle().count == 1)
            }
        }
    }

    @Test func `The end of an earlier job of the same id stays as it is`() async throws {
        try await Example.run { example in
            let id = "00000000-0000-7000-8000-0000000009e1"
            try await example.enqueue(#""id": "\#(id)""#)
            let first = try await example.enqueue(Example.after(id))[0].id
            try await example.perform("SELECT tenure.cancel_job('\(id)', 'first')")
            try await example.perform("SELECT tenure.delete_job('\(id)', 'ada')")
            let other = try await example.enqueue("")[0].id
            // As nobody does: an id that was given stays given.
            try await example.enqueue(#""new_id": "\#(id)", \#(Example.after(other))"#)
            try await example.perform("SELECT tenure.cancel_job('\(other)', 'bad')")
            try await example.perform("SELECT tenure.settle_ends(ARRAY['\(other)']::uuid[])")
            _ = try await example.settle()
            #expect(
                try await example.past(first, "reason") == "after: job \(id) was cancelled: first")
        }
    }

    @Test func `A run that a claim row speaks for is awaited like any other`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(Array(repeating: "", count: 20)).map(\.id)
            #expect(try await example.claim(session, 100, more: ", NULL, NULL, 20").count == 20)
            #expect(try await example.job(jobs[0], "state") == "available", "it is folded")
            let waiter = try await example.enqueue(Example.after(jobs[0]))[0].id
            #expect(try await example.complete(Array(jobs[..<3])) == [])
            #expect(try await example.settle() == ["released \(waiter)"])
        }
    }
}

extension Example {
    /// What a job waits for, to be completed, as a field of an enqueue.
    static func after(_ jobs: String...) -> String {
        let waits = jobs.map { #"{"completed": "\#($0)"}"# }
        return #""waits": [\#(waits.joined(separator: ", "))]"#
    }

    static func after(ended jobs: [String]) -> String {
        let waits = jobs.map { #"{"ended": "\#($0)"}"# }
        return #""waits": [\#(waits.joined(separator: ", "))]"#
    }

    /// Settles what has ended.
    func settle(atMost most: Int = 1000) async throws -> [String] {
        try await rows(
            """
            SELECT s.became || ' ' || s.id FROM tenure.settle_ends(NULL, \(most)) AS s
            WHERE s.id IN (SELECT j.id FROM tenure.job j WHERE j.queue = '\(own)'
                           UNION SELECT h.id FROM tenure.job_history h WHERE h.queue = '\(own)')
            """)
    }

    /// Completes runs the short way; returns those that are left.
    func complete(_ jobs: [String]) async throws -> [String] {
        let ids = jobs.map { "'\($0)'" }.joined(separator: ", ")
        return try await rows(
            """
            SELECT c.id::text FROM (
                SELECT array_agg(j.id) AS ids, array_agg(j.fence) AS fences,
                       (SELECT array_agg(o.ctid) FROM tenure.job o WHERE o.id IN (\(ids))) AS places
                FROM tenure.job_seen j WHERE j.id IN (\(ids))) AS r
            CROSS JOIN LATERAL tenure.complete_group(r.ids, r.fences, r.places) AS c
            WHERE c.is_left
            """)
    }

    /// The SQLSTATE with which a job is refused.
    func refused(_ job: String) async throws -> String? {
        try await refusal(Self.enqueueing([job], own))
    }

    /// The same in no transaction.
    func refusedAlone(_ job: String) async throws -> String? {
        do {
            try await perform(Self.enqueueing([job], own))
            return nil
        } catch let error as PostgresError {
            return error.sqlState
        }
    }

    /// What is said of jobs that are refused.
    func message(_ jobs: String...) async throws -> String {
        try await connection.simple("SAVEPOINT before")
        do {
            try await connection.simple(Self.enqueueing(jobs, own))
            return "nothing"
        } catch let error as PostgresError {
            try await connection.simple("ROLLBACK TO before")
            return error.message
        }
    }

    private static func enqueueing(_ jobs: [String], _ own: String) -> String {
        let fields = jobs.map { #"{"kind": "\#(own)", "queue": "\#(own)", \#($0)}"# }
        return "SELECT FROM tenure.enqueue_jobs('[\(fields.joined(separator: ", "))]')"
    }
}
