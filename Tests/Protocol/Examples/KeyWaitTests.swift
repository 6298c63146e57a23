import TenurePostgres
import Testing

/// Jobs that wait for a key, whichever of its jobs brings the commit.
@Suite struct KeyWaitTests {
    private func after(_ key: String, _ example: Example, more: String = "") -> String {
        #""waits": [{"key": {"kind": "\#(example.own)", "key": "\#(key)"}}]\#(more)"#
    }

    private func openWaits(_ example: Example) async throws -> String {
        try await example.value(
            "SELECT count(*)::text FROM tenure.key_wait WHERE kind = '\(example.own)' AND is_open")
    }

    @Test func `A superseded job hands on who waits for its key`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await example.enqueue(after("a", example))[0].id
            #expect(try await example.job(waiter, "state") == "waiting")
            #expect(try await example.subject("a", "is_awaited") == "true")
            #expect(try await example.claim(session) == [first])
            let newer = try await example.enqueue(#""key": "a""#)[0].id
            #expect(try await example.end(first, "completed") == "superseded")
            #expect(try await example.settle() == [])
            #expect(try await example.claim(session) == [newer])
            #expect(try await example.complete([newer]) == [newer], "the short way leaves it")
            #expect(try await example.end(newer, "completed") == "completed")
            #expect(try await example.subject("a", "is_awaited") == "false")
            #expect(try await example.settle() == ["released \(waiter)"])
            #expect(try await example.claim(session) == [waiter])
            #expect(
                try await example.rows(
                    "SELECT e.outcome || ' ' || e.key FROM tenure.read_ends('\(waiter)') AS e")
                    == ["completed a"])
        }
    }

    @Test func `What a key has committed already is there`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            try await example.claim(session)
            try await example.end(first, "completed")
            let waiter = try await example.enqueue(after("a", example))[0].id
            #expect(try await example.job(waiter, "state") == "available")
            #expect(try await example.subject("a", "is_awaited") == "false")
            // A newer generation is another wait.
            let newer = try await example.enqueue(#""key": "a""#)[0].id
            let late = try await example.enqueue(after("a", example))[0].id
            #expect(try await example.job(late, "state") == "waiting")
            try await example.claim(session)
            try await example.end(newer, "completed")
            #expect(try await example.settle() == ["released \(late)"])
        }
    }

    @Test(arguments: ["discarded", "cancelled", "expired", "discarded by hand"])
    func `A key that is given up cancels who waits for it, with its job named`(_ way: String)
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await example.enqueue(after("a", example))[0].id
            let next = try await example.enqueue(Example.after(waiter))[0].id
            switch way {
            case "discarded":
                try await example.claim(session)
                try await example.end(first, "discarded", more: ", 'reason', 'no use'")
            case "cancelled":
                try await example.perform("SELECT tenure.cancel_job('\(first)', 'ada')")
            case "expired":
                try await example.perform(
                    "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(first)'")
                try await example.perform("SELECT tenure.expire_jobs(10)")
            default: try await example.perform("SELECT tenure.discard_job('\(first)', 'ada')")
            }
            var settled: [String] = []
            for _ in 1...3 { settled += try await example.settle() }
            #expect(settled == ["cancelled \(waiter)", "cancelled \(next)"])
            let outcome = try await example.past(first, "outcome")
            for id in [waiter, next] {
                let reason = try await example.past(id, "reason")
                #expect(reason.hasPrefix("after: job \(first) was \(outcome)"), "\(reason)")
            }
            // Of what was given up before, the same is said at once.
            let late = try await example.enqueue(after("a", example))[0].id
            #expect(
                try await example.past(late, "reason").hasPrefix(
                    "after: job \(first) was \(outcome)"))
            #expect(try await openWaits(example) == "0")
        }
    }

    @Test func `One that is given up fails nobody while a newer one may commit`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            try await example.claim(session)
            let waiter = try await example.enqueue(after("a", example))[0].id
            let newer = try await example.enqueue(#""key": "a", "mode": "coalescing""#)[0].id
            try await example.end(first, "discarded")
            #expect(try await example.settle() == [])
            #expect(try await example.claim(session) == [newer])
            try await example.end(newer, "completed")
            #expect(try await example.settle() == ["released \(waiter)"])
        }
    }

    @Test func `What can't be waited for is refused`() async throws {
        try await Example.run { example in
            let unknown = try await example.message(after("a", example))
            #expect(unknown.contains("of which nothing is known"), "\(unknown)")
            try await example.enqueue(#""key": "a""#)
            let own = try await example.message(after("a", example, more: #", "key": "a""#))
            #expect(own.contains("own key"), "\(own)")
            // Through several calls: b waits for a, and then a's newer job for b.
            try await example.enqueue(after("a", example, more: #", "key": "b""#))
            let circle = try await example.message(
                after("b", example, more: #", "key": "a""#))
            #expect(circle.hasPrefix("jobs wait for each other in a circle: "), "\(circle)")
            for odd in [
                #""waits": [{"key": "a"}]"#, #""waits": [{"key": {"kind": "k"}}]"#,
                #""waits": [{"key": {"kind": "k", "key": ""}}]"#,
                #""waits": [{"key": {"kind": "k", "key": "a"}, "ended": "a"}]"#,
                #""waits": [{"key": {"kind": "k", "key": "a", "more": 1}}]"#,
            ] { #expect(try await example.refused(odd) == "TN003", "\(odd)") }
            #expect(
                try await example.value(
                    """
                    SELECT count(*)::text FROM tenure.subject_lock
                    WHERE kind = '\(example.own)' AND key NOT IN ('a', 'b')
                    """) == "0")
        }
    }

    @Test func `A job runs again behind its key, and retention forgets what is over`() async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await example.enqueue(after("a", example))[0].id
            try await example.perform("SELECT tenure.cancel_job('\(waiter)', 'ada')")
            let again = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(waiter)', tenure.new_id()) AS r")
            #expect(try await example.job(again, "state") == "waiting")
            try await example.claim(session)
            try await example.end(first, "completed")
            #expect(try await example.settle() == ["released \(again)"])
            try await example.claim(session)
            try await example.end(again, "completed")
            // What is asked for by somebody in history stays.
            try await example.perform("SELECT tenure.drop_steps('0')")
            let waits = "SELECT count(*)::text FROM tenure.key_wait WHERE kind = '\(example.own)'"
            #expect(try await example.value(waits) == "1")
            try await example.perform("DELETE FROM tenure.job_history")
            for _ in 1...2 { try await example.perform("SELECT tenure.drop_steps('0')") }
            #expect(try await example.value(waits) == "0")
        }
    }

    @Test func `Any program may enqueue what waits for keys`() async throws {
        try await Example.run { example in
            func enqueue(_ keys: String) async throws -> String {
                try await example.value(
                    """
                    SELECT e.job_id::text FROM tenure.enqueue(
                        '\(example.own)', queue => '\(example.own)', after_keys => '\(keys)') AS e
                    """)
            }
            try await example.enqueue(#""key": "a""#, #""key": "b""#)
            let kind = #""kind": "\#(example.own)""#
            let waiter = try await enqueue(#"[{\#(kind), "key": "a"}, {\#(kind), "key": "b"}]"#)
            #expect(try await example.job(waiter, "state") == "waiting")
            #expect(try await openWaits(example) == "2")
            #expect(try await example.job(try await enqueue("[]"), "state") == "available")
            for odd in [#"{"kind": "k"}"#, #"["a"]"#, "[null]", #"[{"kind": "k", "key": 1}]"#] {
                #expect(
                    try await example.refusal(
                        "SELECT tenure.enqueue('k', after_keys => '\(odd)')") == "TN003", "\(odd)")
            }
        }
    }
}
