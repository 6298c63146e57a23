import TenurePostgres
import Testing

/// Pending jobs that somebody changes.
@Suite struct EditTests {
    private func edit(_ job: String, _ what: String, _ example: Example) async throws -> String {
        try await example.value("SELECT tenure.edit_job('\(job)', 'ada', \(what))")
    }

    @Test func `What is given is changed, and nothing else`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""payload": {"a": 1}, "priority": 7"#)[0].id
            let row = "to_jsonb(job) - 'priority' - 'run_at'"
            let before = try await example.job(job, row)
            #expect(try await edit(job, "priority => 2", example) == "edited")
            #expect(try await example.job(job, "priority") == "2")
            #expect(try await example.job(job, row) == before)
            #expect(
                try await edit(
                    job,
                    """
                    after => '1 h', queue => '\(example.own) b', payload => '{"b": 2}',
                    payload_version => 3, max_attempts => 4
                    """, example) == "edited")
            #expect(
                try await example.job(
                    job,
                    "concat_ws(' ', queue, state, payload, payload_version, max_attempts)"
                )
                    == "\(example.own) b scheduled {\"b\": 2} 3 4")
            let due = "(run_at > clock_timestamp() + interval '55 min') || ' ' || calendar"
            #expect(try await example.job(job, due) == "true false")
            #expect(try await edit(job, "run_at => '2100-01-01T00:00Z'", example) == "edited")
            #expect(try await example.job(job, "calendar") == "true")
            // A time that is over is now: in front of nobody's position.
            #expect(try await edit(job, "run_at => '2000-01-01T00:00Z'", example) == "edited")
            #expect(
                try await example.job(
                    job, "state::text || (clock_timestamp() - run_at < interval '1 min')")
                    == "availabletrue")
        }
    }

    @Test func `One that runs, is claimed, over or unknown stays as it is`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(Array(repeating: "", count: 20))
            let jobs = try await example.claim(session, 100, more: ", NULL, NULL, 20")
            // A claim row speaks for it: its own row says that it waits.
            #expect(try await example.job(jobs[0], "state") == "available")
            #expect(try await edit(jobs[0], "payload => '1'", example) == "running")
            #expect(try await example.job(jobs[0], "state::text || payload") == "running{}")
            #expect(try await edit(jobs[0], "priority => 1", example) == "running")
            #expect(try await example.end(jobs[1], "completed") == "completed")
            #expect(try await edit(jobs[1], "priority => 1", example) == "finished")
            let nobody = try await example.value("SELECT tenure.new_id()::text")
            #expect(try await edit(nobody, "priority => 1", example) == "unknown")
            #expect(try await example.end(jobs[2], "handed_back") == "available")
            #expect(try await edit(jobs[2], "priority => 1", example) == "edited")
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.action WHERE at = now()") == "1")
        }
    }

    @Test func `A new payload of a key is a new generation, and its successors wait on`()
        async throws
    {
        try await Example.run { example in
            let key = #""key": "a", "mode": "coalescing""#
            let first = try await example.enqueue(key)[0].id
            let old = try await example.job(first, "generation")
            #expect(try await edit(first, "priority => 1", example) == "edited")
            #expect(try await example.job(first, "generation") == old)
            #expect(try await edit(first, "payload => '{}'", example) == "edited")
            let new = try await example.job(first, "generation")
            #expect(try #require(Int(new)) > #require(Int(old)))
            #expect(try await example.subject("a", "issued || ' ' || floor") == "\(new) 0")
            try await example.claim(try await example.openSession())
            let next = try await example.enqueue(key)[0].id
            #expect(
                try await edit(next, "payload => '{\"b\": 1}', after => '1 h'", example)
                    == "edited")
            #expect(try await example.job(next, "state::text || waits_for_key") == "waitingtrue")
            #expect(try await example.end(first, "completed") == "completed")
            #expect(try await example.job(next, "state::text || payload") == #"scheduled{"b": 1}"#)
            // A later enqueue has the last word.
            try await example.enqueue(key + #", "payload": {"c": 1}"#)
            #expect(try await example.job(next, "payload") == #"{"c": 1}"#)
        }
    }

    @Test func `Held jobs go on with a new payload, and jobs that wait keep their time`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", "").map(\.id)
            try await example.claim(session)
            let version = ", 'hold_version', '1'"
            #expect(try await example.end(jobs[0], "held", more: version) == "held")
            #expect(try await example.job(jobs[0], "state") == "held")
            #expect(try await edit(jobs[0], "priority => 1", example) == "edited")
            #expect(try await example.job(jobs[0], "state") == "held")
            #expect(try await edit(jobs[0], "payload => '1'", example) == "edited")
            #expect(
                try await example.job(jobs[0], "state::text || coalesce(hold_versions::text, '')")
                    == "available")
            let wait = #", 'also', '{"wait": [{"step": "s", "signal": "s"}]}'::jsonb"#
            #expect(try await example.end(jobs[1], "waits", more: wait) == "waiting")
            #expect(try await edit(jobs[1], "after => '1 h'", example) == "waiting")
            #expect(try await edit(jobs[1], "payload => '1'", example) == "begun")
            #expect(try await edit(jobs[1], "priority => 1", example) == "edited")
            #expect(
                try await example.job(jobs[1], "state::text || priority || payload") == "waiting1{}"
            )
        }
    }

    @Test func `A payload of an outdated generation stays`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""key": "a""#)[0].id
            try await example.perform(
                "UPDATE tenure.subject SET committed = issued WHERE kind = '\(example.own)'")
            #expect(try await edit(job, "payload => '1'", example) == "outdated")
            #expect(try await edit(job, "priority => 1", example) == "edited")
        }
    }

    @Test func `A job of a lane finds its lane in another queue, with its limits`() async throws {
        try await Example.run { example in
            let lane = #""lane": "l", "lane_max_running": 3, "lane_min_interval": "5 s""#
            let job = try await example.enqueue(lane)[0].id
            let other = example.own + " b"
            #expect(try await edit(job, "queue => '\(other)'", example) == "edited")
            #expect(
                try await example.value(
                    """
                    SELECT l.max_running || ' ' || l.min_interval FROM tenure.lane l
                    WHERE l.queue = '\(other)' AND l.name = 'l'
                    """) == "3 00:00:05")
            let session = try await example.openSession()
            let claimed = try await example.rows(
                """
                SELECT c.id::text
                FROM tenure.claim(\(session), '\(other)', '{\(example.own)}', 5) AS c
                """
            )
            #expect(claimed == [job])
        }
    }

    @Test func `What no job may have is refused, in one line`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""not_after": "2100-01-01T00:00:00Z""#)[0].id
            for what in [
                "priority => 10", "max_attempts => 0", "queue => ''", "queue => E'a\\nb'",
                "after => '400000 days'", "run_at => 'infinity'", "payload_version => 40000",
                "run_at => '2000-01-01', after => '1 h'", "run_at => '2100-01-02'",
                "payload => ('[' || repeat('1', 400) || ']')::jsonb", "note => '{}'",
            ] {
                let sql = "SELECT tenure.edit_job('\(job)', 'ada', \(what))"
                #expect(try await example.refusal(sql) == "TN003", "\(what)")
            }
            try await example.claim(try await example.openSession())
            #expect(
                try await example.end(
                    job, "failed", more: ", 'error_code', 'x', 'error_message', 'y'") == "retryable"
            )
            let fewer = "SELECT tenure.edit_job('\(job)', 'ada', max_attempts => 1)"
            #expect(try await example.refusal(fewer) == "TN003")
            #expect(try await edit(job, "max_attempts => 2", example) == "edited")
            #expect(try await example.job(job, "state") == "retryable")
        }
    }
}
