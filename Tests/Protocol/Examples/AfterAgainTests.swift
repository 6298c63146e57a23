import TenurePostgres
import Testing

/// What waited for other jobs, and comes again: by a retry, or by its id; and what of it is in the
/// way of others.
@Suite struct AfterAgainTests {
    private func retry(_ job: String, _ example: Example) async throws -> String {
        try await example.value(
            "SELECT r.id::text FROM tenure.retry_job('\(job)', tenure.new_id()) AS r")
    }

    private func ends(_ job: String, _ example: Example) async throws -> [String] {
        try await example.rows(
            """
            SELECT e.id || ' ' || e.outcome || coalesce(' ' || e.result::text, '')
            FROM tenure.read_ends('\(job)') AS e ORDER BY 1
            """)
    }

    @Test func `A waiter that is run again waits again`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue("")[0].id
            let waiter = try await example.enqueue(Example.after(first))[0].id
            try await example.perform("SELECT tenure.cancel_job('\(waiter)', 'eve')")
            let again = try await retry(waiter, example)
            #expect(try await example.job(again, "state") == "waiting")
            #expect(try await example.claim(session) == [first])
            try await example.end(first, "completed", more: ", 'result', '7'::jsonb")
            #expect(try await example.settle() == ["released \(again)"])
            #expect(try await ends(again, example) == ["\(first) completed 7"])
        }
    }

    /// How a job ended is kept as long as one is there that waited for it, and outlives forgetting.
    @Test(arguments: ["forget", "delete"], [true, false])
    func `An id stays its job's as long as that one's end is kept`(
        verb: String, isGiven: Bool
    ) async throws {
        try await Example.run { example in
            let drawn = try await example.value("SELECT tenure.new_id()::text")
            let given = #""id": "\#(drawn)""#
            try await example.enqueue(isGiven ? given : #""new_id": "\#(drawn)""#)
            try await example.enqueue(Example.after(drawn))
            try await example.perform("SELECT tenure.discard_job('\(drawn)', 'ada')")
            _ = try await example.settle()
            try await example.perform("SELECT tenure.\(verb)_job('\(drawn)')")
            #expect(try await example.past(drawn, "outcome") == "no row")
            #expect(try await example.enqueue(given)[0] == ("kept", drawn))
            try await example.perform("SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            #expect(try await example.enqueue(given)[0] == ("kept", drawn))
            // Who waits for it now has its end.
            let waiter = try await example.enqueue(Example.after(drawn))[0].id
            #expect(try await example.past(waiter, "outcome") == "cancelled")
            try await example.perform("DELETE FROM tenure.job_end WHERE id = '\(drawn)'")
            try await example.perform("SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            #expect(try await example.enqueue(given)[0] == ("enqueued", drawn))
        }
    }

    @Test func `A chain that fails is settled a hundred links at a time`() async throws {
        try await Example.run { example in
            let first = try await example.enqueue("")[0].id
            var last = first
            for _ in 0..<130 { last = try await example.enqueue(Example.after(last))[0].id }
            try await example.perform("SELECT tenure.discard_job('\(first)', 'ada')")
            let settle = "SELECT s.became FROM tenure.settle_ends() AS s"
            let some = try await example.rows(settle)
            #expect(some.filter { $0 == "cancelled" }.count == 100 && some.last == "more")
            let rest = try await example.rows(settle)
            #expect(rest == Array(repeating: "cancelled", count: 30))
        }
    }

    @Test func `One that failed has what it waited for when it is run again`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let parts = try await example.enqueue("", "").map(\.id)
            let waiter = try await example.enqueue(
                Example.after(parts[0]), Example.after(ended: [parts[1]]))
            try await example.claim(session)
            try await example.end(parts[0], "completed", more: ", 'result', '7'::jsonb")
            try await example.end(parts[1], "discarded")
            _ = try await example.settle()
            try await example.claim(session)
            for one in waiter { try await example.end(one.id, "discarded") }
            let first = try await retry(waiter[0].id, example)
            #expect(try await example.job(first, "state") == "available")
            #expect(try await ends(first, example) == ["\(parts[0]) completed 7"])
            let second = try await retry(waiter[1].id, example)
            #expect(try await example.job(second, "state") == "available")
            #expect(try await ends(second, example) == ["\(parts[1]) discarded"])
        }
    }

    @Test
    func `A graph that is run again waits as it did, and who alone is run again has seen why`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            let middle = try await example.enqueue(Example.after(root))[0].id
            let last = try await example.enqueue(Example.after(middle))[0].id
            try await example.claim(session)
            try await example.end(root, "discarded")
            for _ in 1...3 { _ = try await example.settle() }
            // By itself: nothing is in its way that nobody mends.
            let alone = try await retry(middle, example)
            #expect(try await example.job(alone, "state") == "available")
            #expect(try await ends(alone, example) == ["\(root) discarded"])
            try await example.perform("UPDATE tenure.job_history SET retried_as = NULL")
            let made = try await example.rows(
                """
                SELECT r.new_id::text FROM unnest(ARRAY['\(root)', '\(middle)', '\(last)'])
                    WITH ORDINALITY AS o (id, place)
                JOIN tenure.repeat_jobs(ARRAY['\(root)', '\(middle)', '\(last)']::uuid[]) AS r
                  ON r.id = o.id::uuid AND r.became = 'retried' ORDER BY o.place
                """)
            try #require(made.count == 3)
            #expect(try await example.job(made[0], "state") == "available")
            #expect(try await example.job(made[1], "state") == "waiting")
            #expect(try await example.job(made[2], "state") == "waiting")
            #expect(try await example.claim(session).contains(made[0]))
            try await example.end(made[0], "completed")
            #expect(try await example.settle() == ["released \(made[1])"])
        }
    }

    @Test func `Whose predecessor was run again waits for that one`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            let waiter = try await example.enqueue(Example.after(root))[0].id
            try await example.claim(session)
            try await example.end(root, "discarded")
            _ = try await example.settle()
            let better = try await retry(root, example)
            let again = try await retry(waiter, example)
            #expect(try await example.job(again, "state") == "waiting")
            #expect(try await example.claim(session) == [better])
            try await example.end(better, "completed", more: ", 'result', '7'::jsonb")
            #expect(try await example.settle() == ["released \(again)"])
            // Its payload names the first of them.
            let named = "tenure.read_ends('\(again)', '{\(root)}')"
            #expect(
                try await example.rows("SELECT e.id || ' ' || e.result::text FROM \(named) AS e")
                    == ["\(root) 7"])
        }
    }

    @Test func `An id that comes back has nothing of its earlier job`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let id = "0198f4b2-0000-7000-8000-0000000000ad"
            let first = try await example.enqueue("")[0].id
            try await example.enqueue(#""id": "\#(id)", "# + Example.after(first))
            try await example.claim(session)
            try await example.end(first, "discarded")
            _ = try await example.settle()
            try await example.perform(
                """
                INSERT INTO tenure.job_step (job_id, name, fence, how, type, result, took)
                VALUES ('\(id)', 'charge', 1,
                        (enum_range(NULL::tenure.step_way))[1], 'Int', '1', '1 ms')
                """)
            try await example.perform("DELETE FROM tenure.job_history")
            try await example.perform(
                "UPDATE tenure.given_id SET given_at = given_at - interval '2 days'")
            try await example.perform("SELECT tenure.drop_given_ids('1 day', NULL, NULL, 1000)")
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.job_step WHERE job_id = '\(id)'") == "0")
            let other = try await example.enqueue("")[0].id
            let again = #""id": "\#(id)", "# + Example.after(other)
            // With an edge that was left all the same it would be taken for who waited then.
            try await example.perform(
                """
                INSERT INTO tenure.job_after (job_id, needs, made, goes_on)
                VALUES ('\(id)', '\(first)', clock_timestamp(), false)
                """)
            #expect(try await example.enqueue(again)[0].result == "kept")
            try await example.perform(
                "DELETE FROM tenure.job_after; DELETE FROM tenure.given_id")
            #expect(try await example.enqueue(again)[0].result == "enqueued")
            try await example.claim(session)
            try await example.end(other, "completed")
            #expect(try await example.settle() == ["released \(id)"])
            #expect(try await ends(id, example) == ["\(other) completed"])
        }
    }

    @Test(arguments: ["keeping", "coalescing"])
    func `Who is to be cancelled answers no enqueue of its key`(mode: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            let doomed = try await example.enqueue(
                #""key": "k", "mode": "keeping", "# + Example.after(root))[0].id
            try await example.claim(session)
            try await example.end(root, "discarded", more: ", 'reason', 'no use'")
            let next = try await example.enqueue(#""key": "k", "mode": "\#(mode)""#)
            #expect(next[0].result == "enqueued" && next[0].id != doomed)
            #expect(
                try await example.past(doomed, "outcome || ' ' || reason")
                    == "cancelled after: job \(root) was discarded: no use")
            _ = try await example.settle()
            #expect(try await example.job(next[0].id, "state") == "available")
        }
    }

    /// What counts how many were left out of a way can't overflow.
    @Test func `However long the way to an end was, who waits for it is cancelled`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            let waiter = try await example.enqueue(Example.after(root))[0].id
            let next = try await example.enqueue(Example.after(waiter))[0].id
            try await example.claim(session)
            try await example.end(root, "discarded")
            try await example.perform(
                """
                UPDATE tenure.job_end SET left_out = 2147483647, root_id = id, root = 'discarded',
                       path = array_fill(id, array[8])
                WHERE id = '\(root)'
                """)
            #expect(try await example.settle() == ["cancelled \(waiter)", "cancelled \(next)"])
        }
    }

    @Test func `A result is asked for by the id that was given, whoever stands for it`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let id = "0198f4b2-0000-7000-8000-0000000000ae"
            let kept = try await example.enqueue(#""key": "k", "mode": "keeping""#)[0].id
            let given = try await example.enqueue(
                #""key": "k", "mode": "keeping", "id": "\#(id)""#)
            #expect(given[0].result == "kept" && given[0].id == kept)
            let waiter = try await example.enqueue(Example.after(id))[0].id
            try await example.claim(session)
            try await example.end(kept, "completed", more: ", 'result', '7'::jsonb")
            #expect(try await example.settle() == ["released \(waiter)"])
            #expect(
                try await example.rows(
                    "SELECT e.id || ' ' || e.result::text "
                        + "FROM tenure.read_ends('\(waiter)', '{\(id)}') AS e")
                    == ["\(id) 7"])
        }
    }
}
