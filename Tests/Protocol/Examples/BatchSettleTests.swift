import Testing

/// One batch's end is no other's concern; and what a cancelled batch leaves answers nobody.
@Suite struct BatchSettleTests {
    private func start(_ example: Example, followUp: String = "NULL") async throws -> String {
        let batch = try await example.value("SELECT tenure.new_id()::text")
        try await example.perform(
            "INSERT INTO tenure.batch (id, is_whole, follow_up) "
                + "VALUES ('\(batch)', true, \(followUp))"
        )
        return batch
    }

    private func followUp(_ example: Example, _ more: String = "") -> String {
        #"'[{"kind": "\#(example.own)", "queue": "\#(example.own)"\#(more)}]'"#
    }

    @Test func `A batch whose follow-up is refused ends all the same, and so do the others`()
        async throws
    {
        try await Example.run { example in
            let over = try await start(example)
            try await example.perform(
                "UPDATE tenure.batch SET ended_at = clock_timestamp() WHERE id = '\(over)'")
            let good = try await start(example, followUp: followUp(example, #", "key": "a""#))
            let bad = [
                try await start(example, followUp: followUp(example, #", "batch_id": "\#(over)""#)),
                try await start(
                    example,
                    followUp: followUp(
                        example, #", "after": "2 h", "not_after": "2100-01-01", "priority": 12"#)),
                try await start(example, followUp: "'7'"),
            ]
            let all = ([good] + bad).map { "'\($0)'" }.joined(separator: ", ")
            let told = try await example.rows(
                """
                SELECT s.id || ' ' || s.ended || ' ' || coalesce(s.refused, 'none')
                FROM tenure.settle_batches(ARRAY[\(all)]::uuid[]) AS s
                """)
            #expect(told.contains("\(good) true none"))
            #expect(told.contains("\(bad[0]) true batch \(over) is over"))
            #expect(told.contains("\(bad[1]) true a job's priority is 12; give 0 to 9"))
            let ended = "SELECT count(*)::text FROM tenure.batch WHERE ended_at IS NOT NULL"
            #expect(try await example.value("\(ended) AND id IN (\(all))") == "4")
            #expect(
                try await example.value("\(ended) AND id IN (\(all)) AND refused IS NULL") == "1")
            let made = "SELECT count(*)::text FROM tenure.job WHERE kind = '\(example.own)'"
            #expect(try await example.value(made) == "1")
        }
    }

    @Test func `Follow-ups that wait for each other's are enqueued, whatever a third one asks for`()
        async throws
    {
        try await Example.run { example in
            let (id, nobody) = (
                "0198f4b2-0000-7000-8000-0000000000af", "0198f4b2-0000-7000-8000-0000000000b0"
            )
            let waits = try await start(
                example, followUp: followUp(example, ", " + Example.after(id)))
            let bad = try await start(
                example, followUp: followUp(example, ", " + Example.after(nobody)))
            let awaited = try await start(
                example, followUp: followUp(example, #", "id": "\#(id)""#))
            let all = [waits, bad, awaited].map { "'\($0)'" }.joined(separator: ", ")
            let refused = try await example.rows(
                """
                SELECT s.id::text FROM tenure.settle_batches(ARRAY[\(all)]::uuid[]) AS s
                WHERE s.refused IS NOT NULL
                """)
            #expect(refused == [bad])
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.job WHERE kind = '\(example.own)'") == "2")
        }
    }

    @Test func `A sweep ends the batches behind one whose follow-up is refused`() async throws {
        try await Example.run { example in
            let bad = try await start(example, followUp: "'7'")
            let good = try await start(example, followUp: followUp(example))
            try await example.takeTurn("sweep_batches")
            let settled = try await example.value(
                "SELECT array_length((tenure.sweep_batches(NULL, 100)).settled, 1)::text")
            #expect(settled == "2")
            #expect(
                try await example.value(
                    "SELECT string_agg((refused IS NULL)::text, ' ' ORDER BY created_at) FROM "
                        + "tenure.batch WHERE ended_at IS NOT NULL AND id IN ('\(bad)', '\(good)')")
                    == "false true")
        }
    }

    @Test func `Cancelled jobs at the head of a sweep leave room for the rest of it`()
        async throws
    {
        try await Example.run { example in
            let batch = try await start(example)
            for _ in 0..<3 { try await example.enqueue(#""batch_id": "\#(batch)""#) }
            try await example.perform("SELECT tenure.cancel_batch('\(batch)', 'ada')")
            try await example.takeTurn("sweep_batches")
            let sweep = "SELECT coalesce((tenure.sweep_batches(NULL, 100)).next::text, 'done')"
            #expect(try await example.value(sweep) == "done")
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.job WHERE batch_id = '\(batch)'") == "0")
        }
    }

    @Test func `No enqueue is answered by a job whose batch was cancelled`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await start(example)
            let modes = ["keeping", "coalescing", "debounced"]
            for mode in modes {
                try await example.enqueue(#""key": "\#(mode)", "batch_id": "\#(batch)""#)
            }
            try await example.enqueue(
                #""key": "running", "priority": 0, "batch_id": "\#(batch)""#)
            try await example.claim(session, 1)
            try await example.perform("SELECT tenure.cancel_batch('\(batch)', 'ada')")
            for mode in modes {
                let own = try await example.enqueue(#""key": "\#(mode)", "mode": "\#(mode)""#)[0]
                #expect(own.result == "enqueued", "\(mode)")
                #expect(try await example.job(own.id, "batch_id") == "NULL")
            }
            let own = try await example.enqueue(#""key": "running", "mode": "keeping""#)[0]
            #expect(own.result == "enqueued")
            try await example.perform("SELECT tenure.retire_batch('\(batch)', 100)")
            #expect(try await example.claim(session).count == 4)
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.job_history WHERE batch_id = '\(batch)' "
                        + "AND outcome = 'cancelled' AND reason = 'ada'") == "3")
        }
    }

    @Test func `A run that fails isn't superseded by a job of a cancelled batch`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let older = try await example.enqueue(#""key": "a""#)[0].id
            try await example.claim(session)
            let batch = try await start(example)
            try await example.enqueue(#""key": "a", "mode": "coalescing", "batch_id": "\#(batch)""#)
            try await example.perform("SELECT tenure.cancel_batch('\(batch)', 'ada')")
            #expect(try await example.end(older, "failed") == "retryable")
        }
    }

    @Test func `An unkeyed job of a cancelled batch doesn't complete in a group`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let batch = try await start(example)
            for queue in [example.own, example.own + "u"] {
                try await example.perform(
                    "SELECT tenure.enqueue('\(example.own)', queue => '\(queue)')")
                try await example.enqueue(#""queue": "\#(queue)", "batch_id": "\#(batch)""#)
            }
            try await example.perform(
                """
                INSERT INTO tenure.queue (name, keep_completed) VALUES ('\(example.own)u', false);
                CREATE TEMPORARY TABLE held ON COMMIT DROP AS
                SELECT c.* FROM unnest('{\(example.own),\(example.own)u}'::text[]) AS q (name),
                    tenure.claim(\(session), q.name, '{\(example.own)}', 9) AS c;
                SELECT tenure.cancel_batch('\(batch)', 'ada');
                """)
            for places in ["", ", array_agg(h.place)"] {
                let left = try await example.value(
                    """
                    SELECT count(*)::text FROM (
                        SELECT tenure.complete_group(array_agg(h.id), array_agg(h.fence)\(places))
                        FROM held h WHERE h.batch_id IS NOT NULL) AS left_over
                    """)
                #expect(left == "2")
            }
            let left = try await example.value(
                """
                SELECT count(*)::text FROM (
                    SELECT tenure.complete_group(
                        array_agg(h.id), array_agg(h.fence), array_agg(h.place))
                    FROM held h) AS left_over
                """)
            #expect(left == "2")
        }
    }
}
