import Testing

@Suite struct FinishTests {
    private func finish(_ id: String, _ rest: String = "") -> String {
        """
        SELECT e.result || ' ' || e.id FROM tenure.job j,
            tenure.finish(j.id, j.fence\(rest)) AS e WHERE j.id = '\(id)'
        """
    }

    @Test func `A follow-up may have the key of its job`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            for mode in ["superseding", "coalescing", "keeping"] {
                let job = try await example.enqueue(#""key": "\#(mode)""#)[0]
                try await example.claim(session)
                let next = try await example.value(
                    finish(
                        job.id,
                        #"""
                        , follow_ups => '[{"kind": "\#(example.own)", "queue": "\#(example.own)",
                        "key": "\#(mode)", "mode": "\#(mode)"}]'
                        """#))
                #expect(next.hasPrefix("enqueued"))
                #expect(try await example.past(job.id, "outcome") == "completed")
                #expect(try await example.job(String(next.suffix(36)), "state") == "available")
                try await example.claim(session)
            }
        }
    }

    @Test func `Follow-ups with many keys, old ones and new ones`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""key": "m""#)[0]
            try await example.claim(session)
            try await example.enqueue(#""key": "z""#)
            let keys = ["z", "a", "m", "b", "z"].map {
                #"{"kind": "\#(example.own)", "key": "\#($0)"}"#
            }.joined(separator: ", ")
            let made = try await example.rows(finish(job.id, ", follow_ups => '[\(keys)]'"))
            #expect(made.count == 5)
            let pending = try await example.rows(
                "SELECT key FROM tenure.job WHERE kind = '\(example.own)' ORDER BY key")
            #expect(pending == ["a", "b", "m", "z"])
        }
    }

    @Test func `Of two runs of a key that complete together only the newer counts`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(#""key": "a""#, #""key": "b""#)
            let (old, new) = (jobs[0].id, jobs[1].id)
            try await example.claim(session)
            // As a clock that was set back, or a retry beside an expired successor, leaves them.
            try await example.perform(
                """
                UPDATE tenure.job SET key = 'a' WHERE id = '\(new)';
                UPDATE tenure.subject s SET issued = j.generation FROM tenure.job j
                WHERE s.kind = j.kind AND s.key = 'a' AND j.id = '\(new)'
                """)
            func finish(_ ids: [String]) -> String {
                let fences = ids.map { "(SELECT fence FROM tenure.job WHERE id = '\($0)')" }
                return """
                    SELECT string_agg(e.id || ' ' || e.became, ', ') FROM tenure.finish_chunk(
                        '{\(ids.joined(separator: ","))}', ARRAY[\(fences.joined(separator: ", "))],
                        '{\(ids.map { _ in "completed" }.joined(separator: ","))}') AS e
                    """
            }
            #expect(try await example.refusal(finish([old, new])) == "TN001")
            #expect(try await example.refusal(finish([new, old])) == "TN001")
            #expect(try await example.value(finish([new])) == "\(new) completed")
            #expect(try await example.refusal(finish([old])) == "TN001")
        }
    }

    @Test func `A late result is refused and leaves nothing`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue("")[0]
            try await example.claim(session)
            #expect(
                try await example.refusal("SELECT tenure.finish('\(job.id)', 0)") == "TN001")
            #expect(try await example.refusal("SELECT tenure.hold_run('\(job.id)', 0)") == "TN001")
            #expect(
                try await example.refusal(finish(job.id, ", outcome => 'succeeded'")) == "TN003")
            _ = try await example.value("SELECT tenure.cancel_job('\(job.id)', 'me')")
            #expect(try await example.refusal(finish(job.id)) == "TN001")
            #expect(try await example.job(job.id, "state || ending_by") == "runningme")
        }
    }

    @Test func `A stale ending beside the current one of its job is late, and no more`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue("")[0]
            try await example.claim(session)
            let became = try await example.rows(
                """
                SELECT e.became || ' ' || (e.fence = j.fence) FROM tenure.job j,
                    tenure.end_runs(jsonb_build_array(
                        jsonb_build_object('id', j.id, 'fence', 0, 'wanted', 'discarded'),
                        jsonb_build_object('id', j.id, 'fence', j.fence, 'wanted', 'failed')), true)
                    AS e ORDER BY 1
                """)
            #expect(became == ["late false", "retryable true"])
            #expect(try await example.job(job.id, "state") == "retryable")
        }
    }

    @Test func `Refunds are bounded`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""max_attempts": 2"#)[0]
            try await example.claim(session)
            #expect(try await example.end(job.id, "snoozed") == "available")
            #expect(
                try await example.job(job.id, "attempt || ' ' || refunds || ' ' || runs") == "0 1 1"
            )
            try await example.perform(
                "UPDATE tenure.job SET refunds = tenure.max_refunds() WHERE id = '\(job.id)'")
            for became in ["available", "discarded"] {
                try await example.claim(session)
                #expect(try await example.end(job.id, "snoozed") == became)
            }
            #expect(try await example.past(job.id, "attempt || ' ' || runs") == "2 3")
        }
    }

    @Test func `Attempts spent on reclaims end in discarded, with their errors`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""max_attempts": 2"#)[0]
            for became in ["available", "discarded"] {
                let session = try await example.openSession()
                try await example.claim(session)
                _ = try await example.value("SELECT tenure.close_session(\(session))::text")
                #expect(
                    try await example.value("SELECT became FROM tenure.reclaim_runs(10)") == became)
            }
            #expect(
                try await example.past(job.id, "outcome || ' ' || reason")
                    == "discarded attempts are spent")
            let errors = try await example.rows(
                """
                SELECT attempt || ' ' || code FROM tenure.attempt_error
                WHERE job_id = '\(job.id)' ORDER BY fence
                """)
            #expect(errors == ["1 worker_died", "2 worker_died"])
        }
    }

    @Test func `A retry from history is a new job that names the old one`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""key": "a", "payload": {"n": null}"#)[0]
            try await example.claim(session)
            try await example.end(job.id, "discarded")
            let retry =
                "SELECT result || ' ' || id FROM tenure.retry_job('\(job.id)', tenure.new_id())"
            let again = try await example.value(retry)
            #expect(again.hasPrefix("enqueued "))
            let new = String(again.suffix(36))
            #expect(
                try await example.job(new, "retry_of || payload::text") == job.id + #"{"n": null}"#)
            #expect(try await example.value(retry) == "kept \(new)")
        }
    }
}
