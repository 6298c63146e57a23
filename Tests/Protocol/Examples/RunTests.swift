import Testing

/// Trees of jobs: what their cancellation and their end promise, one statement after the other.
@Suite struct RunTests {
    /// A run with so many pending jobs.
    private func start(
        _ example: Example, jobs: Int, followUp: String = ""
    ) async throws -> String {
        let run = try await example.value("SELECT tenure.new_id()::text")
        let last =
            followUp.isEmpty
            ? "NULL"
            : #"'[{"kind": "\#(example.own)", "queue": "\#(example.own)", "key": "\#(followUp)"}]'"#
        try await example.perform(
            "INSERT INTO tenure.run (id, is_whole, follow_up) VALUES ('\(run)', true, \(last))")
        for _ in 0..<jobs { try await example.enqueue(#""run_id": "\#(run)""#) }
        return run
    }

    private func settle(_ example: Example, _ run: String) async throws -> String {
        try await example.value("SELECT count(*)::text FROM tenure.settle_runs('{\(run)}')")
    }

    private func count(_ example: Example, _ rows: String) async throws -> String {
        try await example.value("SELECT count(*)::text FROM tenure.\(rows)")
    }

    /// The `finish` of a job's current run.
    private func finish(_ job: String, _ followUps: String = "NULL") -> String {
        "SELECT tenure.finish(j.id, j.fence, follow_ups => \(followUps)) "
            + "FROM tenure.job j WHERE j.id = '\(job)'"
    }

    @Test func `From its mark on, no job of a cancelled run starts, commits or comes in`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await start(example, jobs: 3)
            let other = try await example.enqueue("")[0].id
            let running = try await example.claim(session, 1)
            try await example.perform("SELECT tenure.cancel_run('\(run)', 'ada')")
            #expect(try await example.claim(session) == [other])
            let verdict = try await example.value(
                """
                SELECT v.tag || ' ' || v.detail FROM tenure.job j,
                    tenure.read_verdicts(ARRAY[j.id], ARRAY[j.fence]) AS v
                WHERE j.id = '\(running[0])'
                """)
            #expect(verdict == "cancelled ada")
            #expect(try await example.refusal(finish(running[0])) == "TN001")
            #expect(
                try await example.refusal(
                    "SELECT tenure.hold_run(j.id, j.fence) FROM tenure.job j "
                        + "WHERE j.id = '\(running[0])'") == "TN001")
            #expect(
                try await example.refusal(
                    "SELECT tenure.enqueue_jobs('[{\"kind\": \"k\", \"run_id\": \"\(run)\"}]')")
                    == "TN004")
            #expect(try await example.end(running[0], "handed_back") == "cancelled")
        }
    }

    @Test func `A cancelled run's pending jobs end as cancelled, keyed and laned ones too`()
        async throws
    {
        try await Example.run { example in
            let run = try await start(example, jobs: 2)
            try await example.enqueue(
                #""run_id": "\#(run)", "key": "a""#, #""run_id": "\#(run)", "lane": "l""#)
            let retire = "SELECT tenure.retire_run('\(run)', 3)::text"
            #expect(try await example.value(retire) == "0")
            try await example.perform("SELECT tenure.cancel_run('\(run)', 'ada')")
            #expect(try await example.value(retire) == "3")
            #expect(try await settle(example, run) == "0")
            #expect(try await example.value(retire) == "1")
            #expect(try await settle(example, run) == "1")
            #expect(
                try await count(
                    example, "job_history WHERE run_id = '\(run)' AND reason = 'ada'") == "4")
        }
    }

    @Test func `A run ends once, after its follow-ups have, and enqueues what it was to`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await start(example, jobs: 1, followUp: "last")
            let parent = try await example.claim(session)[0]
            let child =
                #"'[{"kind": "\#(example.own)", "queue": "\#(example.own)", "#
                + #""run_id": "\#(run)", "parent_id": "\#(parent)"}]'"#
            try await example.perform(finish(parent, child))
            #expect(try await settle(example, run) == "0")
            let grandchild = try await example.claim(session)[0]
            try await example.end(grandchild, "discarded")
            #expect(try await settle(example, run) == "1")
            #expect(try await settle(example, run) == "0")
            let last = "job WHERE kind = '\(example.own)' AND key = 'last' AND run_id IS NULL"
            #expect(try await count(example, last) == "1")
            #expect(
                try await example.refusal(
                    "SELECT tenure.enqueue_jobs('[{\"kind\": \"k\", \"run_id\": \"\(run)\"}]')")
                    == "TN004")
        }
    }

    @Test func `A run that nobody started never ends by itself, and can be cancelled`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await example.value("SELECT tenure.new_id()::text")
            try await example.enqueue(#""run_id": "\#(run)""#)
            try await example.end(try await example.claim(session)[0], "completed")
            #expect(try await settle(example, run) == "0")
            try await example.enqueue(#""run_id": "\#(run)""#)
            #expect(
                try await example.value("SELECT tenure.cancel_run('\(run)', 'a')::text") == "true")
            try await example.perform("SELECT tenure.sweep_runs(NULL, 10)")
            #expect(try await count(example, "job WHERE run_id = '\(run)'") == "0")
            #expect(
                try await count(example, "run WHERE id = '\(run)' AND ended_at IS NOT NULL") == "1")
            #expect(
                try await example.value("SELECT tenure.cancel_run('\(run)', 'b')::text") == "false")
        }
    }

    @Test func `What is repeated after a run's end runs by itself`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let run = try await start(example, jobs: 1)
            let job = try await example.claim(session)[0]
            try await example.end(job, "discarded")
            #expect(try await settle(example, run) == "1")
            let again = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(job)', tenure.new_id()) AS r")
            #expect(try await example.job(again, "run_id") == "NULL")
        }
    }

    @Test func `Runs that are over are forgotten, open ones never`() async throws {
        try await Example.run { example in
            let over = try await start(example, jobs: 0)
            let open = try await start(example, jobs: 1)
            #expect(try await settle(example, over) == "1")
            try await example.perform("SELECT tenure.drop_runs('0 s', 1000)")
            let left = "SELECT string_agg(id::text, ' ') FROM tenure.run WHERE id IN "
            #expect(try await example.value("\(left)('\(over)', '\(open)')") == open)
        }
    }
}
