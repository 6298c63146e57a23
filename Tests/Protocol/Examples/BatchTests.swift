import Testing

/// Batches of jobs: what their cancellation and their end promise, one statement after the other.
@Suite struct BatchTests {
    /// A batch with so many pending jobs.
    private func start(
        _ example: Example, jobs: Int, followUp: String = ""
    ) async throws -> String {
        let batch = try await example.value("SELECT tenure.new_id()::text")
        let last =
            followUp.isEmpty
            ? "NULL"
            : #"'[{"kind": "\#(example.own)", "queue": "\#(example.own)", "key": "\#(followUp)"}]'"#
        try await example.perform(
            "INSERT INTO tenure.batch (id, is_whole, follow_up) VALUES ('\(batch)', true, \(last))")
        for _ in 0..<jobs { try await example.enqueue(#""batch_id": "\#(batch)""#) }
        return batch
    }

    private func settle(_ example: Example, _ batch: String) async throws -> String {
        try await example.value("SELECT count(*)::text FROM tenure.settle_batches('{\(batch)}')")
    }

    private func count(_ example: Example, _ rows: String) async throws -> String {
        try await example.value("SELECT count(*)::text FROM tenure.\(rows)")
    }

    /// The `finish` of a job's current run.
    private func finish(_ job: String, _ followUps: String = "NULL") -> String {
        "SELECT tenure.finish(j.id, j.fence, follow_ups => \(followUps)) "
            + "FROM tenure.job j WHERE j.id = '\(job)'"
    }

    @Test func `From its mark on, no job of a cancelled batch starts, commits or comes in`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await start(example, jobs: 3)
            let other = try await example.enqueue("")[0].id
            let running = try await example.claim(session, 1)
            try await example.perform("SELECT tenure.cancel_batch('\(batch)', 'ada')")
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
                    "SELECT tenure.enqueue_jobs('[{\"kind\": \"k\", \"batch_id\": \"\(batch)\"}]')")
                    == "TN004")
            #expect(try await example.end(running[0], "handed_back") == "cancelled")
        }
    }

    @Test func `A cancelled batch's pending jobs end as cancelled, keyed and laned ones too`()
        async throws
    {
        try await Example.run { example in
            let batch = try await start(example, jobs: 2)
            try await example.enqueue(
                #""batch_id": "\#(batch)", "key": "a""#, #""batch_id": "\#(batch)", "lane": "l""#)
            let retire = "SELECT tenure.retire_batch('\(batch)', 3)::text"
            #expect(try await example.value(retire) == "0")
            try await example.perform("SELECT tenure.cancel_batch('\(batch)', 'ada')")
            #expect(try await example.value(retire) == "3")
            #expect(try await settle(example, batch) == "0")
            #expect(try await example.value(retire) == "1")
            #expect(try await settle(example, batch) == "1")
            #expect(
                try await count(
                    example, "job_history WHERE batch_id = '\(batch)' AND reason = 'ada'") == "4")
        }
    }

    @Test func `A batch ends once, after its follow-ups have, and enqueues what it was to`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await start(example, jobs: 1, followUp: "last")
            let parent = try await example.claim(session)[0]
            let child =
                #"'[{"kind": "\#(example.own)", "queue": "\#(example.own)", "#
                + #""batch_id": "\#(batch)", "parent_id": "\#(parent)"}]'"#
            try await example.perform(finish(parent, child))
            #expect(try await settle(example, batch) == "0")
            let grandchild = try await example.claim(session)[0]
            try await example.end(grandchild, "discarded")
            #expect(try await settle(example, batch) == "1")
            #expect(try await settle(example, batch) == "0")
            let last = "job WHERE kind = '\(example.own)' AND key = 'last' AND batch_id IS NULL"
            #expect(try await count(example, last) == "1")
            #expect(
                try await example.refusal(
                    "SELECT tenure.enqueue_jobs('[{\"kind\": \"k\", \"batch_id\": \"\(batch)\"}]')")
                    == "TN004")
        }
    }

    @Test func `A batch that nobody started never ends by itself, and can be cancelled`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await example.value("SELECT tenure.new_id()::text")
            try await example.enqueue(#""batch_id": "\#(batch)""#)
            try await example.end(try await example.claim(session)[0], "completed")
            #expect(try await settle(example, batch) == "0")
            try await example.enqueue(#""batch_id": "\#(batch)""#)
            #expect(
                try await example.value("SELECT tenure.cancel_batch('\(batch)', 'a')::text")
                    == "true")
            try await example.takeTurn("sweep_batches")
            try await example.perform("SELECT tenure.sweep_batches(NULL, 10)")
            #expect(try await count(example, "job WHERE batch_id = '\(batch)'") == "0")
            #expect(
                try await count(example, "batch WHERE id = '\(batch)' AND ended_at IS NOT NULL")
                    == "1")
            #expect(
                try await example.value("SELECT tenure.cancel_batch('\(batch)', 'b')::text")
                    == "false")
        }
    }

    @Test func `What is repeated after a batch's end runs by itself`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await start(example, jobs: 1)
            let job = try await example.claim(session)[0]
            try await example.end(job, "discarded")
            #expect(try await settle(example, batch) == "1")
            let again = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(job)', tenure.new_id()) AS r")
            #expect(try await example.job(again, "batch_id") == "NULL")
        }
    }

    @Test func `Batches that are over are forgotten, open ones never`() async throws {
        try await Example.run { example in
            let over = try await start(example, jobs: 0)
            let open = try await start(example, jobs: 1)
            #expect(try await settle(example, over) == "1")
            try await example.perform("SELECT tenure.drop_batches('0 s', 1000)")
            let left = "SELECT string_agg(id::text, ' ') FROM tenure.batch WHERE id IN "
            #expect(try await example.value("\(left)('\(over)', '\(open)')") == open)
        }
    }
}
