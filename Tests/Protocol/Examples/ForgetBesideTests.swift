import Testing

/// Forgetting beside those who have to do with the job just then: it waits for nobody, and nothing
/// comes back.
@Suite struct ForgetBesideTests {
    @Test(arguments: ["letter", "history", "batch", "end", "waiter"])
    func `Who has anything of a job in hand keeps that one, and no other, from being forgotten`(
        what: String
    ) async throws {
        try await ContentionTests.pair { first, second in
            try await first.perform("SELECT tenure.set_letter('kind', 'own', 'letter')")
            let batch = try await first.value("SELECT tenure.new_id()::text")
            try await first.perform(
                "SELECT tenure.start_batch('\(batch)', '[{\"kind\": \"own\", \"payload\": 1}]')")
            let jobs = try await first.enqueue(#""batch_id": "\#(batch)""#, "").map(\.id)
            let waiter = try await first.enqueue(#""waits": [{"completed": "\#(jobs[0])"}]"#)[0].id
            for job in jobs {
                try await first.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            }
            try await first.perform("SELECT tenure.settle_ends()")
            let row =
                switch what {
                case "letter": "tenure.job j WHERE j.parent_id = '\(jobs[0])'"
                case "history": "tenure.job_history h WHERE h.id = '\(jobs[0])'"
                case "end": "tenure.job_end e WHERE e.id = '\(jobs[0])'"
                case "waiter": "tenure.job_history h WHERE h.id = '\(waiter)'"
                default: "tenure.batch b WHERE b.id = '\(batch)'"
                }
            try await second.perform("BEGIN")
            let held = try await second.rows("SELECT 'held' FROM \(row) FOR UPDATE")
            #expect(held == ["held"])
            let forget = """
                SELECT f.became FROM tenure.forget_jobs('{\(jobs[0]), \(jobs[1])}', true) AS f
                ORDER BY f.id = '\(jobs[1])'
                """
            #expect(try await first.rows(forget) == ["busy", "forgotten"])
            #expect(try await first.past(jobs[0], "outcome") == "discarded")
            try await second.perform("ROLLBACK")
            #expect(try await first.rows(forget) == ["forgotten", "unknown"])
        }
    }

    /// - Parameter before: how it ended is kept already, for somebody else.
    @Test(arguments: [false, true])
    func `Who is about to wait for a job keeps it from being forgotten, and copies nothing later`(
        before: Bool
    ) async throws {
        try await ContentionTests.pair { first, second in
            let job = try await first.enqueue("")[0].id
            try await first.perform("SELECT tenure.discard_job('\(job)', 'kanary')")
            let wait = #""waits": [{"completed": "\#(job)"}]"#
            if before { try await first.enqueue(wait) }
            let quotes = """
                SELECT count(*)::text FROM (
                    SELECT h::text FROM tenure.job_history h UNION ALL
                    SELECT e::text FROM tenure.job_end e) AS t (row) WHERE t.row LIKE '%kanary%'
                """
            let forget = "SELECT tenure.forget_job('\(job)')"
            try await second.perform("BEGIN")
            try await second.enqueue(wait)
            #expect(try await first.value(forget) == "busy")
            try await second.perform("COMMIT")
            #expect(try await first.value(forget) == "forgotten")
            #expect(try await first.value(quotes) == "0")
            #expect(try await first.value(forget) == "unknown")
        }
    }

    /// - Parameter before: how it ended is kept already, for somebody else.
    @Test(arguments: [false, true])
    func `Who waits for a job that is being forgotten is to try again, or hears of none`(
        before: Bool
    ) async throws {
        try await ContentionTests.pair { first, second in
            let job = try await first.enqueue("")[0].id
            try await first.perform("SELECT tenure.cancel_job('\(job)', 'ada')")
            if before { try await first.enqueue(#""waits": [{"completed": "\#(job)"}]"#) }
            let enqueue = """
                SELECT tenure.enqueue_jobs(
                    '[{"kind": "own", "payload": 1, "waits": [{"completed": "\(job)"}]}]')
                """
            try await first.perform("BEGIN; SELECT tenure.forget_job('\(job)')")
            try await second.perform("BEGIN")
            #expect(try await second.refusal(enqueue) == "40001")
            try await first.perform("ROLLBACK")
            #expect(try await second.refusal(enqueue) == nil)
            try await second.perform("ROLLBACK")
            try await first.perform("SELECT tenure.forget_job('\(job)')")
            try await second.perform("BEGIN")
            #expect(try await second.refusal(enqueue) == (before ? nil : "TN003"))
            try await second.perform("ROLLBACK")
        }
    }

    /// Each has locked what the other one wants: the waiter's row is the last that is erased.
    @Test func `A waiter that is just being run again is waited for by no forgetting`()
        async throws
    {
        try await ContentionTests.pair { first, second in
            let job = try await first.enqueue("")[0].id
            let waiter = try await first.enqueue(#""waits": [{"completed": "\#(job)"}]"#)[0].id
            try await first.perform(
                """
                SELECT tenure.discard_job('\(job)', 'kanary'); SELECT tenure.settle_ends();
                BEGIN; SELECT tenure.retry_job('\(waiter)', tenure.new_id())
                """)
            try await second.perform("BEGIN")
            #expect(try await second.value("SELECT tenure.forget_job('\(job)')") == "busy")
            try await first.perform("SELECT tenure.retry_job('\(job)', tenure.new_id()); COMMIT")
            #expect(try await second.value("SELECT tenure.forget_job('\(job)')") == "forgotten")
            try await second.perform("COMMIT")
        }
    }

    @Test func `A letter that is just being run again is forgotten in its new form, too`()
        async throws
    {
        try await ContentionTests.pair { first, second in
            try await first.perform("SELECT tenure.set_letter('kind', 'own', 'letter')")
            let job = try await first.enqueue("")[0].id
            try await first.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let letter = try await first.past(job, "letter_id")
            try await first.perform(
                """
                SELECT tenure.discard_job('\(letter)', 'ada');
                BEGIN; SELECT tenure.retry_job('\(letter)', tenure.new_id())
                """)
            let forget = "SELECT tenure.forget_job('\(job)', true, 'ada')"
            #expect(try await second.value(forget) == "busy")
            try await first.perform("COMMIT")
            #expect(try await second.value(forget) == "forgotten")
            #expect(try await first.value("SELECT count(*)::text FROM tenure.job") == "0")
        }
    }

    /// It was unknown when those were looked for who are to be forgotten.
    @Test func `An id that has just been given keeps what is written for its job`() async throws {
        try await Example.run { example in
            let before = try await example.enqueue("")[0].id
            let id = try await example.enqueue(
                #""id": "00000000-0000-7000-8000-0000000009f1", \#(Example.after(before))"#)[0].id
            #expect(try await example.value("SELECT tenure.clear_job('\(id)')::text") == "false")
            #expect(try await example.value(Self.edges(of: id)) == "1")
        }
    }

    /// Another id stood for the earlier job, and goes with what that one has left.
    @Test func `An id that is given anew keeps what is written for its job`() async throws {
        try await ContentionTests.pair { first, second in
            let before = try await first.enqueue("")[0].id
            let id = try await first.enqueue(#""key": "a""#)[0].id
            let other = "00000000-0000-7000-8000-0000000009f2"
            // Else it gives up after half a second, which a busy machine takes.
            try await first.perform("ALTER FUNCTION tenure.drop_given_ids SET lock_timeout = '20s'")
            try await first.enqueue(#""id": "\#(other)", "key": "a", "mode": "keeping""#)
            try await first.perform(
                """
                SELECT tenure.cancel_job('\(id)', 'ada');
                DELETE FROM tenure.job_history WHERE id = '\(id)'
                """)
            try await second.perform(
                "BEGIN; SELECT FROM tenure.given_id WHERE id = '\(other)' FOR UPDATE")
            async let dropped: Void = first.perform(
                "SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            try await second.waitUntilBlocking()
            try await second.enqueue(#""id": "\#(id)", "waits": [{"completed": "\#(before)"}]"#)
            try await second.perform("COMMIT")
            try await dropped
            #expect(try await first.job(id, "state") == "waiting")
            #expect(try await first.value(Self.edges(of: id)) == "1")
        }
    }

    private static func edges(of id: String) -> String {
        "SELECT count(*)::text FROM tenure.job_after a WHERE a.job_id = '\(id)'"
    }
}
