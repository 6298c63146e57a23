import Testing

/// What is left of a job elsewhere than in its row: in others' reasons, in letters, and when
/// history has dropped it.
@Suite struct ForgetRestTests {
    private func forget(_ job: String, in example: Example) async throws -> String {
        try await example.value("SELECT tenure.forget_job('\(job)', true, 'ada')")
    }

    private func settle(_ example: Example) async throws {
        for _ in 1...3 {
            try await example.perform(
                "UPDATE tenure.job_end SET again_at = '-infinity'; SELECT tenure.settle_ends()")
        }
    }

    @Test func `Of a job that history has dropped is forgotten what is left`() async throws {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            let job = try await example.enqueue("")[0].id
            try await example.enqueue(#""waits": [{"ended": "\#(job)"}]"#)
            try await example.perform(
                """
                SELECT tenure.discard_job('\(job)', 'ada');
                INSERT INTO tenure.job_step (job_id, name, fence, how)
                VALUES ('\(job)', 's', 1, 'done');
                INSERT INTO tenure.job_progress (job_id, fence, done) VALUES ('\(job)', 1, 1);
                INSERT INTO tenure.kept_key (kind, key, generation, job_id, made_at, kept_until)
                VALUES ('\(own)', 'person', 1, '\(job)', now(), now() + '1 h');
                DELETE FROM tenure.job_history WHERE id = '\(job)'
                """)
            #expect(try await forget(job, in: example) == "forgotten")
            #expect(
                try await example.value(
                    """
                    SELECT concat_ws(
                        ' ', (SELECT count(*) FROM tenure.job WHERE kind = 'l-\(own)'),
                        (SELECT count(*) FROM tenure.job_step WHERE job_id = '\(job)'),
                        (SELECT count(*) FROM tenure.job_progress WHERE job_id = '\(job)'),
                        (SELECT count(*) FROM tenure.kept_key WHERE job_id = '\(job)'),
                        (SELECT count(*) FROM tenure.job_end
                         WHERE id = '\(job)' AND reason IS NOT NULL))
                    """) == "0 0 0 0 0")
            #expect(try await forget(job, in: example) == "unknown")
        }
    }

    /// - Parameter late: the last begins to wait when the middle one is over already.
    @Test(arguments: [false, true], ["delete_job", "forget_job"])
    func `A reason that is quoted on is forgotten when the one between is gone already`(
        late: Bool, verb: String
    ) async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            let middle = try await example.enqueue(#""waits": [{"completed": "\#(job)"}]"#)[0].id
            let last = #""waits": [{"completed": "\#(middle)"}]"#
            if !late { try await example.enqueue(last) }
            try await example.perform("SELECT tenure.discard_job('\(job)', 'kanary')")
            try await settle(example)
            if late { try await example.enqueue(last) }
            try await settle(example)
            let quotes = """
                SELECT count(*)::text FROM (
                    SELECT h::text FROM tenure.job_history h UNION ALL
                    SELECT e::text FROM tenure.job_end e) AS t (row) WHERE t.row LIKE '%kanary%'
                """
            try await example.perform("SELECT tenure.\(verb)('\(middle)')")
            #expect(try await example.value(quotes) != "0")
            #expect(try await forget(job, in: example) == "forgotten")
            #expect(try await example.value(quotes) == "0")
            #expect(try await forget(job, in: example) == "unknown")
        }
    }

    @Test func `All repetitions of a letter go with its job, though the letter is gone`()
        async throws
    {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            let job = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let letter = try await example.past(job, "letter_id")
            try await example.perform(
                """
                SELECT tenure.discard_job('\(letter)', 'ada');
                SELECT tenure.retry_job('\(letter)', tenure.new_id());
                SELECT tenure.retry_job('\(letter)', tenure.new_id(), true);
                SELECT tenure.delete_job('\(letter)')
                """)
            let letters = "SELECT count(*)::text FROM tenure.job WHERE kind = 'l-\(own)'"
            #expect(try await example.value(letters) == "2")
            #expect(try await forget(job, in: example) == "forgotten")
            #expect(try await example.value(letters) == "0")
        }
    }

    @Test func `Letters of letters go with the job, when where they go was changed meanwhile`()
        async throws
    {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            let job = try await example.enqueue("")[0].id
            try await example.perform(
                """
                SELECT tenure.discard_job('\(job)', 'kanary');
                SELECT tenure.set_letter('kind', '\(own)', NULL);
                SELECT tenure.set_letter('kind', 'l-\(own)', 'm-\(own)')
                """)
            let letter = try await example.past(job, "letter_id")
            try await example.perform("SELECT tenure.discard_job('\(letter)', 'ada')")
            let letters = "SELECT count(*)::text FROM tenure.job WHERE kind = 'm-\(own)'"
            #expect(try await example.value(letters) == "1")
            #expect(try await forget(job, in: example) == "forgotten")
            #expect(try await example.value(letters) == "0")
        }
    }

    @Test func `A job and its letter are forgotten in one call, whichever is named first`()
        async throws
    {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            let job = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let letter = try await example.past(job, "letter_id")
            #expect(
                try await example.rows(
                    "SELECT f.became FROM tenure.forget_jobs('{\(letter), \(job)}', true) AS f")
                    == ["forgotten", "forgotten"])
            let many = "SELECT tenure.forget_jobs(array_fill('\(job)'::uuid, '{1001}'))"
            #expect(try await example.refusal(many) == "TN003")
        }
    }

    @Test func `What the end of its batch enqueues is kept by nobody, whenever that comes`()
        async throws
    {
        try await Example.run { example in
            for follows in [#"{"kind": "done", "payload": "kanary"}"#, "refused"] {
                let after = try await example.value("SELECT tenure.new_id()::text")
                let follow =
                    follows == "refused"
                    ? #"{"kind": "done", "payload": "kanary", "waits": [{"ended": "\#(after)"}]}"#
                    : follows
                let batch = try await example.value("SELECT tenure.new_id()::text")
                try await example.perform("SELECT tenure.start_batch('\(batch)', '[\(follow)]')")
                let jobs = try await example.enqueue(
                    #""batch_id": "\#(batch)""#, #""batch_id": "\#(batch)""#
                ).map(\.id)
                #expect(try await forget(jobs[0], in: example) == "forgotten")
                let kept = """
                    SELECT (b.ended_at IS NOT NULL) || ' ' || (b::text LIKE '%kanary%')
                    FROM tenure.batch b WHERE b.id = '\(batch)'
                    """
                #expect(try await example.value(kept) == "false true")
                try await example.perform(
                    """
                    SELECT tenure.cancel_job('\(jobs[1])', 'ada');
                    SELECT tenure.settle_batches('{\(batch)}')
                    """)
                #expect(try await example.value(kept) == "true false")
            }
        }
    }

    @Test func `What a run reports too late is not written down of a job that is gone`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue("")[0].id
            try await example.claim(session)
            let fence = try await example.value(
                "SELECT s.fence::text FROM tenure.job_seen s WHERE s.id = '\(job)'")
            let report = """
                SELECT tenure.beat(\(session), '{}', '{}', 0, jsonb_build_array(jsonb_build_object(
                    'job', '\(job)', 'fence', \(fence), 'done', 1, 'note', 'kanary')))
                """
            let rows = "SELECT count(*)::text FROM tenure.job_progress WHERE job_id = '\(job)'"
            try await example.perform(report)
            #expect(try await example.value(rows) == "1")
            #expect(try await example.end(job, "completed") == "completed")
            #expect(try await forget(job, in: example) == "forgotten")
            try await example.perform(report)
            #expect(try await example.value(rows) == "0")
        }
    }

    @Test func `A verb that there isn't is refused`() async throws {
        try await Example.run { example in
            for verb in ["'forget'", "'x'", "NULL"] {
                let refused = try await example.refusal(
                    "SELECT tenure.operate_jobs(\(verb), '{}', 'ada')")
                #expect(refused == "TN003")
            }
        }
    }
}
