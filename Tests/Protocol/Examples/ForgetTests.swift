import Testing

/// What is forgotten, and what stays.
@Suite struct ForgetTests {
    /// Everywhere the secret is still to be read, by table.
    private func places(of secret: String, in example: Example) async throws -> [String] {
        let tables = [
            "job", "job_history", "attempt_error", "job_step", "job_wait", "job_signal",
            "job_progress", "job_end", "job_after", "job_letter", "kept_key", "batch", "given_id",
            "action", "job_tag", "job_log",
        ]
        let looks = tables.map {
            "SELECT '\($0)' AS place FROM tenure.\($0) t WHERE t::text LIKE '%\(secret)%'"
        }
        let all = looks.joined(separator: " UNION ALL ")
        return try await example.rows(
            "SELECT DISTINCT p.place FROM (\(all)) AS p ORDER BY 1")
    }

    /// A discarded job that has left something everywhere, and two that waited for it.
    private func disgrace(_ secret: String, in example: Example) async throws -> String {
        let own = example.own
        try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
        let batch = try await example.value("SELECT tenure.new_id()::text")
        try await example.perform(
            """
            SELECT tenure.start_batch(
                '\(batch)', '[{"kind": "done", "payload": {"a": "\(secret)"}}]')
            """)
        let session = try await example.openSession()
        let given = try await example.value("SELECT tenure.new_id()::text")
        let job = try await example.enqueue(
            #"""
            "id": "\#(given)", "payload": {"a": "\#(secret)"}, "batch_id": "\#(batch)",
            "tags": ["\#(secret)"]
            """#)[0].id
        let waiter = try await example.enqueue(#""waits": [{"completed": "\#(job)"}]"#)[0].id
        try await example.enqueue(#""waits": [{"completed": "\#(waiter)"}]"#)
        try await example.claim(session)
        try await example.perform(
            """
            INSERT INTO tenure.job_step (job_id, name, fence, how, result)
            VALUES ('\(job)', 's', 1, 'done', '{"a": "\(secret)"}');
            INSERT INTO tenure.job_signal (job_id, id, name, payload)
            VALUES ('\(job)', tenure.new_id(), 'n', '{"a": "\(secret)"}');
            INSERT INTO tenure.job_progress (job_id, fence, done, note)
            VALUES ('\(job)', 1, 1, '\(secret)');
            INSERT INTO tenure.job_log (job_id, fence, lines)
            VALUES ('\(job)', 1, '[{"message": "\(secret)"}]')
            """)
        let why = ", 'reason', 'for \(secret)', 'error_code', 'x', 'error_message', '\(secret)'"
        #expect(try await example.end(job, "discarded", more: why) == "discarded")
        try await example.perform(
            """
            UPDATE tenure.job_end SET again_at = '-infinity'; SELECT tenure.settle_ends();
            UPDATE tenure.job_end SET again_at = '-infinity'; SELECT tenure.settle_ends();
            SELECT tenure.settle_batches('{\(batch)}');
            DELETE FROM tenure.job j WHERE j.kind = 'done' AND j.payload ->> 'a' = '\(secret)'
            """)
        return job
    }

    @Test func `Nothing of a forgotten job is left, with its letter and what others copied`()
        async throws
    {
        try await Example.run { example in
            let secret = "kanary-\(example.own)-"
            let job = try await disgrace(secret, in: example)
            #expect(
                try await places(of: secret, in: example) == [
                    "attempt_error", "job", "job_end", "job_history", "job_log", "job_progress",
                    "job_signal", "job_step", "job_tag",
                ])
            #expect(
                try await example.value("SELECT tenure.forget_job('\(job)', true, 'ada')")
                    == "forgotten")
            #expect(try await places(of: secret, in: example).isEmpty)
            // Those that waited are there, and how it ended.
            #expect(
                try await example.rows(
                    """
                    SELECT h.outcome || ' ' || starts_with(h.reason, 'after: job \(job) was disc')
                    FROM tenure.job_history h WHERE h.kind = '\(example.own)'
                    """) == ["cancelled true", "cancelled true"])
            #expect(
                try await example.rows(
                    """
                    SELECT a.jobs || ' ' || a.about || ' ' || a.whom
                    FROM tenure.action a WHERE a.verb = 'forget' AND a.at = now()
                    """) == ["1 {} ada"])
            #expect(try await example.value("SELECT tenure.forget_job('\(job)')") == "unknown")
        }
    }

    @Test func `An unfinished job stays unless it is cancelled first, and a running one stays`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let runs = try await example.enqueue("")[0].id
            try await example.claim(session)
            let waits = try await example.enqueue("")[0].id
            func forget(_ cancels: String) async throws -> [String] {
                try await example.rows(
                    """
                    SELECT o.became FROM tenure.forget_jobs(
                        '{\(runs), \(waits)}', \(cancels), 'ada', '{"filter": {"key": "x"}}') AS o
                    ORDER BY o.id = '\(waits)'
                    """)
            }
            #expect(try await forget("false") == ["running", "unfinished"])
            #expect(try await forget("NULL") == ["running", "unfinished"])
            #expect(try await example.job(waits, "state") == "available")
            #expect(try await forget("true") == ["running", "forgotten"])
            #expect(try await forget("true") == ["running", "unknown"])
            #expect(try await example.job(runs, "ending_at") == "NULL")
            #expect(
                try await example.rows(
                    """
                    SELECT a.jobs || ' ' || a.about FROM tenure.action a
                    WHERE a.verb = 'forget' AND a.at = now()
                    """) == ["1 {}"])
        }
    }

    @Test func `A letter that runs keeps its job, and one that was run again goes with it`()
        async throws
    {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            let job = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let letter = try await example.past(job, "letter_id")
            let session = try await example.openSession()
            try await example.perform(
                "SELECT tenure.claim(\(session), '\(own)', '{l-\(own)}', 10)")
            let forget = "SELECT tenure.forget_job('\(job)', true, 'ada')"
            #expect(try await example.value(forget) == "running")
            #expect(try await example.past(job, "outcome") == "discarded")
            #expect(try await example.end(letter, "discarded") == "discarded")
            try await example.perform("SELECT tenure.retry_job('\(letter)', tenure.new_id())")
            #expect(try await example.value(forget) == "forgotten")
            #expect(
                try await example.value(
                    """
                    SELECT count(*)::text FROM (
                        SELECT kind FROM tenure.job UNION ALL SELECT kind FROM tenure.job_history)
                        AS j WHERE j.kind IN ('\(own)', 'l-\(own)')
                    """) == "0")
        }
    }
}
