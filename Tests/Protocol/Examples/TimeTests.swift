import Testing

/// Times and pauses that no clock can bear: refused on the way in, and borne where they stand.
@Suite struct TimeTests {
    @Test func `Times that nothing can reckon with are refused`() async throws {
        try await Example.run { example in
            for field in [
                #""run_at": "infinity""#, #""run_at": "-infinity""#, #""run_at": "20000-01-01""#,
                #""run_at": "2000-01-01 BC""#, #""after": "294000 years""#,
                #""after": "-294000 years""#, #""not_after": "infinity""#,
                #""expires_in": "294000 years""#,
                #""key": "a", "mode": "debounced", "max_wait": "294000 years""#,
                #""key": "a", "mode": "debounced", "max_wait": "-1 s""#,
                #""lane": "l", "lane_min_interval": "294000 years""#,
                #""lane": "l", "lane_min_interval": "366 days""#,
                #""lane": "l", "lane_min_interval": "-1 s""#,
            ] {
                let array = #"[{"kind": "k"}, {"kind": "k", \#(field)}]"#
                let refusal = try await example.refusal("SELECT tenure.enqueue_jobs('\(array)')")
                #expect(refusal == "TN003", "\(field)")
            }
            for field in [#""lane_min_interval": "365 days""#, #""after": "1000 days""#] {
                try await example.enqueue(#""lane": "l", \#(field)"#)
            }
            let statements = [
                "SELECT tenure.set_lane('q', 'l', 1, '294000 years', 'me')",
                "SELECT tenure.set_lane('q', 'l', 1, '-1 s', 'me')",
                "SELECT tenure.finish(tenure.new_id(), 1, 'snoozed', delay => '294000 years')",
            ]
            for statement in statements {
                #expect(try await example.refusal(statement) == "TN003", "\(statement)")
            }
        }
    }

    @Test func `What handlers say of lanes and pauses is bounded`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(#""lane": "a""#, "", "")
            try await example.claim(session)
            let move = #"{"move": {"lane": "b", "min_interval": "294000 years"}}"#
            try await example.end(
                jobs[0].id, "snoozed", more: ", 'also', '\(move)'::jsonb")
            try await example.end(jobs[1].id, "snoozed", more: ", 'delay', '294000 years'")
            try await example.end(
                jobs[2].id, "discarded",
                more: """
                    , 'also', '{"hold": {"queue": "\(example.own)", "lane": "a",
                    "for": "294000 years"}}'::jsonb
                    """)
            try await example.perform(
                "SELECT tenure.slow_lane('\(example.own)', 'a', '294000 years')")
            let pauses = try await example.rows(
                "SELECT min_interval::text FROM tenure.lane WHERE queue = '\(example.own)'")
            #expect(pauses == ["8760:00:00", "8760:00:00"])
            let isBounded = "run_at < clock_timestamp() + interval '11 years'"
            #expect(try await example.job(jobs[1].id, isBounded) == "true")
        }
    }

    @Test func `A bulk retry goes on where a job can't be enqueued, and where its batch is over`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await example.value("SELECT tenure.new_id()::text")
            try await example.perform(
                "INSERT INTO tenure.batch (id, is_whole) VALUES ('\(run)', true)")
            let jobs = try await example.enqueue(#""batch_id": "\#(run)""#, "", "").map(\.id)
            for job in try await example.claim(session) { try await example.end(job, "discarded") }
            try await example.perform(
                """
                SELECT tenure.settle_batches('{\(run)}');
                UPDATE tenure.job_history SET priority = 12 WHERE id = '\(jobs[1])'
                """)
            let again = try await example.rows(
                """
                SELECT r.became FROM unnest(ARRAY['\(jobs.joined(separator: "', '"))']::uuid[])
                    WITH ORDINALITY AS i (id, place)
                JOIN tenure.repeat_jobs(ARRAY['\(jobs.joined(separator: "', '"))']::uuid[]) AS r
                  ON r.id = i.id ORDER BY i.place
                """)
            #expect(again == ["retried", "refused", "retried"])
        }
    }
}
