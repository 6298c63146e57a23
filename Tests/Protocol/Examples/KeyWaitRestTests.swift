import TenurePostgres
import Testing

/// Waits for keys: who gives a key up without a successor, what is said of it, and what is left.
@Suite struct KeyWaitRestTests {
    private func wait(_ key: String, _ example: Example, more: String = "") async throws -> String {
        try await example.enqueue(
            #""waits": [{"key": {"kind": "\#(example.own)", "key": "\#(key)"}}]\#(more)"#)[0].id
    }

    private func expire(_ job: String, _ example: Example) async throws {
        try await example.perform(
            "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(job)'")
    }

    /// What is kept is no job that may bring the commit: nobody else would look.
    @Test(arguments: ["a completed one", "one that runs", "in a series"])
    func `An enqueue that gives up an expired job and keeps another decides who waits`(
        _ what: String
    ) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let keep = #""key": "a", "mode": "keeping", "within": "1 h""#
            let first = try await example.enqueue(keep)[0].id
            try await example.claim(session)
            if what == "a completed one" { try await example.end(first, "completed") }
            let newer = try await example.enqueue(#""key": "a", "mode": "coalescing""#)[0].id
            let waiter = try await wait("a", example)
            try await expire(newer, example)
            let answers =
                what == "in a series"
                ? try await example.enqueue(keep, keep) : try await example.enqueue(keep)
            #expect(Set(answers.map(\.id)) == [first] && answers[0].result == "kept")
            #expect(try await example.settle() == ["cancelled \(waiter)"])
            #expect(
                try await example.past(waiter, "reason").hasPrefix(
                    "after: job \(newer) was discarded: expired"))
        }
    }

    @Test func `A series that gives up an expired job and enqueues another fails nobody`()
        async throws
    {
        try await Example.run { example in
            let old = try await example.enqueue(#""key": "a""#)[0].id
            _ = try await wait("a", example)
            try await expire(old, example)
            try await example.enqueue(
                #""key": "a", "mode": "keeping""#, #""key": "a", "mode": "coalescing""#,
                #""key": "a""#)
            #expect(try await example.settle() == [])
            #expect(try await example.subject("a", "is_awaited") == "true")
        }
    }

    @Test func `The job that was given up last is named, with its words`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await wait("a", example)
            try await example.claim(session)
            let newer = try await example.enqueue(#""key": "a", "mode": "coalescing""#)[0].id
            try await example.perform("SELECT tenure.cancel_job('\(newer)', 'ada')")
            #expect(try await example.settle() == [])
            try await example.end(first, "discarded", more: ", 'reason', 'no use'")
            _ = try await example.settle()
            #expect(
                try await example.past(waiter, "reason")
                    == "after: job \(first) was discarded: no use")
        }
    }

    @Test func `The first cause's words come along by way of a key`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            let middle = try await example.enqueue(#""key": "a", "# + Example.after(root))[0].id
            let waiter = try await wait("a", example)
            try await example.claim(session)
            try await example.end(root, "discarded", more: ", 'reason', 'no: use\nat all'")
            for _ in 1...3 { _ = try await example.settle() }
            #expect(
                try await example.past(waiter, "reason")
                    == "after: job \(root) was discarded, by way of \(middle): no: use\nat all")
        }
    }

    @Test func `A job that calls itself superseded gives its key up`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await wait("a", example)
            try await example.claim(session)
            #expect(try await example.end(first, "superseded") == "superseded")
            #expect(try await example.settle() == ["cancelled \(waiter)"])
            #expect(
                try await example.past(waiter, "reason").hasPrefix(
                    "after: job \(first) was superseded"))
            // It is known.
            let late = try await wait("a", example)
            #expect(try await example.past(late, "outcome") == "cancelled")
        }
    }

    @Test func `How a key was given up is known when history is not`() async throws {
        try await Example.run { example in
            let first = try await example.enqueue(#""key": "a""#)[0].id
            try await example.perform("SELECT tenure.cancel_job('\(first)', 'ada')")
            try await example.perform("DELETE FROM tenure.job_history WHERE id = '\(first)'")
            let waiter = try await wait("a", example)
            #expect(
                try await example.past(waiter, "reason") == "after: job \(first) was cancelled")
        }
    }

    @Test func `A wait that has lost its end is decided anew`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await wait("a", example)
            try await example.claim(session)
            try await example.end(first, "completed")
            try await example.perform(
                """
                DELETE FROM tenure.job_end e USING tenure.key_wait w
                WHERE w.kind = '\(example.own)' AND e.id = w.id
                """)
            #expect(try await example.settle() == [])
            try await example.perform(
                "DO $$ BEGIN PERFORM tenure.sweep_waiting(NULL, 100000); END $$")
            #expect(try await example.settle() == ["released \(waiter)"])
        }
    }

    @Test func `A wait that is forgotten leaves its subject as it is`() async throws {
        try await Example.run { example in
            try await example.enqueue(#""key": "a""#)
            let waiter = try await wait("a", example)
            try await example.perform("SELECT tenure.cancel_job('\(waiter)', 'ada')")
            try await example.perform("DELETE FROM tenure.job_history WHERE id = '\(waiter)'")
            try await example.perform("SELECT tenure.drop_steps('0')")
            #expect(try await example.subject("a", "is_awaited") == "false")
        }
    }

    @Test func `A follow-up whose id is known leaves no lock of the key that it would wait for`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let given = #""id": "0198f4b2-0000-7000-8000-0000000000ae""#
            try await example.enqueue(given)
            let first = try await example.enqueue("")[0].id
            try await example.claim(session)
            let follow = """
                [{"kind": "\(example.own)", \(given),
                  "waits": [{"key": {"kind": "\(example.own)", "key": "never"}}]}]
                """
            #expect(
                try await example.value(
                    """
                    SELECT e.result FROM tenure.job_seen j, tenure.finish(
                        j.id, j.fence, follow_ups => '\(follow)') AS e WHERE j.id = '\(first)'
                    """) == "kept")
            #expect(
                try await example.value(
                    """
                    SELECT count(*)::text FROM tenure.subject_lock
                    WHERE kind = '\(example.own)' AND key = 'never'
                    """) == "0")
        }
    }
}
