import TenurePostgres
import Testing

/// Jobs that wait for other jobs.
@Suite struct AfterTests {
    @Test func `A job starts when the last of those that it waits for is completed`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue("")[0].id
            let second = try await example.enqueue("")[0].id
            let waiter = try await example.enqueue(Example.after(first, second))[0].id
            #expect(try await example.job(waiter, "state") == "waiting")
            #expect(try await example.job(first, "has_waiters") == "true")
            #expect(try await example.claim(session) == [first, second])
            #expect(try await example.complete([first]) == [], "the short way writes its end down")
            #expect(try await example.settle() == [])
            #expect(try await example.job(waiter, "state") == "waiting")
            try await example.end(second, "completed")
            #expect(try await example.settle() == ["released \(waiter)"])
            #expect(try await example.job(waiter, "state") == "available")
            #expect(try await example.claim(session) == [waiter])
            // It waits for nobody any more, and nobody waits for it.
            #expect(try await example.complete([waiter]) == [])
        }
    }

    @Test func `Who waits for a job that is not completed is cancelled, with the way named`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let root = try await example.enqueue("")[0].id
            var chain: [String] = [root]
            for _ in 1...12 {
                chain.append(try await example.enqueue(Example.after(chain.last ?? root))[0].id)
            }
            let bystander = try await example.enqueue(Example.after(ended: [chain[2]]))[0].id
            try await example.claim(session)
            try await example.end(root, "discarded", more: ", 'reason', 'no use'")
            var cancelled: [String] = []
            for _ in 1...13 { cancelled += try await example.settle() }
            #expect(
                Set(cancelled)
                    == Set(chain.dropFirst().map { "cancelled \($0)" } + ["released \(bystander)"]))
            func reason(_ place: Int) async throws -> String {
                try await example.past(chain[place], "outcome || ' ' || reason")
            }
            let why = "cancelled after: job \(root) was discarded"
            #expect(try await reason(1) == "\(why): no use")
            #expect(try await reason(2) == "\(why), by way of \(chain[1]): no use")
            let way = chain[1...4].joined(separator: ", ")
            #expect(
                try await reason(12)
                    == "\(why), by way of \(way), … 3 more …, "
                    + "\(chain[8...11].joined(separator: ", ")): no use")
            #expect(try await example.job(bystander, "state") == "available")
        }
    }

    @Test(arguments: ["cancelled", "superseded", "expired", "retried", "discarded by hand"])
    func `Each way to end is seen by those that wait`(_ way: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            let waiter = try await example.enqueue(Example.after(first))[0].id
            let other = try await example.enqueue(Example.after(ended: [first]))[0].id
            switch way {
            case "cancelled":
                try await example.perform("SELECT tenure.cancel_job('\(first)', 'ada')")
            case "superseded": try await example.enqueue(#""key": "a""#)
            case "expired":
                try await example.perform(
                    "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(first)'")
                try await example.perform("SELECT tenure.expire_jobs(10)")
            case "discarded by hand":
                try await example.perform("SELECT tenure.discard_job('\(first)', 'ada')")
            default:
                try await example.claim(session)
                #expect(try await example.end(first, "failed") == "retryable")
                #expect(try await example.settle() == [])
                return
            }
            #expect(
                Set(try await example.settle())
                    == ["cancelled \(waiter)", "released \(other)"])
            let outcome = try await example.past(first, "outcome")
            let reason = try await example.past(waiter, "reason")
            #expect(reason.hasPrefix("after: job \(first) was \(outcome): "), "\(reason)")
        }
    }

    @Test func `Of what has ended before, history answers, and an unknown id is refused`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", "").map(\.id)
            try await example.claim(session)
            #expect(try await example.complete([jobs[0]]) == [])
            try await example.end(jobs[1], "discarded", more: ", 'reason', 'no use'")
            let waiters = try await example.enqueue(
                Example.after(jobs[0]), Example.after(jobs[0], jobs[1]),
                Example.after(ended: [jobs[1]])
            ).map(\.id)
            #expect(try await example.job(waiters[0], "state") == "available")
            #expect(
                try await example.past(waiters[1], "reason")
                    == "after: job \(jobs[1]) was discarded: no use")
            #expect(try await example.job(waiters[2], "state") == "available")
            // What history forgets is remembered as long as somebody has asked for it.
            try await example.perform("DELETE FROM tenure.job_history WHERE id = '\(jobs[0])'")
            let late = try await example.enqueue(Example.after(jobs[0]))[0].id
            #expect(try await example.job(late, "state") == "available")
            let stranger = "00000000-0000-7000-8000-0000000009ff"
            #expect(try await example.refused(Example.after(stranger)) == "TN003")
            #expect(
                try await example.rows(
                    "SELECT job_id::text FROM tenure.job_after "
                        + "WHERE needs = '\(stranger)'"
                ).isEmpty)
        }
    }

    @Test func `What can't be waited for is refused`() async throws {
        try await Example.run { example in
            let a = #""id": "00000000-0000-7000-8000-0000000009a1""#
            let b = #""id": "00000000-0000-7000-8000-0000000009b2""#
            let c = #""id": "00000000-0000-7000-8000-0000000009c3""#
            func after(_ name: String) -> String {
                Example.after("00000000-0000-7000-8000-0000000009\(name)")
            }
            let message = try await example.message(
                "\(a), \(after("b2"))", "\(b), \(after("c3"))", "\(c), \(after("a1"))")
            #expect(message.hasPrefix("jobs wait for each other in a circle: "), "\(message)")
            #expect(message.split(separator: " after ").count == 4, "\(message)")
            #expect(try await example.refused("\(a), \(after("a1"))") == "TN003")
            // In any order but a circle.
            #expect(
                try await example.enqueue(
                    "\(a), \(after("b2"))", "\(b), \(after("c3"))", c
                ).map(\.result) == ["enqueued", "enqueued", "enqueued"])
            let keyed = try await example.enqueue(#""key": "a""#)[0].id
            for mode in ["superseding", "keeping"] {
                #expect(
                    try await example.refused(
                        #""key": "a", "mode": "\#(mode)", \#(Example.after(keyed))"#)
                        == (mode == "keeping" ? nil : "TN003"))
            }
            for mode in ["coalescing", "debounced"] {
                #expect(
                    try await example.refused(
                        #""key": "b", "mode": "\#(mode)", \#(Example.after(keyed))"#) == "TN003")
            }
            for waits in [#"{"completed": "x"}"#, "7", #"[{"completed": "x"}]"#, "[7]", "[{}]"] {
                #expect(try await example.refused(#""waits": \#(waits)"#) == "TN003", "\(waits)")
            }
            #expect(try await example.refused(#""waits": []"#) == nil)
        }
    }

    @Test func `A job of a key waits for its key and for others, in any order`() async throws {
        for keyFirst in [true, false] {
            try await Example.run { example in
                let session = try await example.openSession()
                let runs = try await example.enqueue(#""key": "a""#)[0].id
                let other = try await example.enqueue("")[0].id
                try await example.claim(session)
                let waiter = try await example.enqueue(
                    #""key": "a", "overlap": false, \#(Example.after(other))"#)[0].id
                let ends = keyFirst ? [runs, other] : [other, runs]
                let wanted = ["completed", "superseded"]
                #expect(wanted.contains(try await example.end(ends[0], "completed")))
                _ = try await example.settle()
                #expect(try await example.job(waiter, "state") == "waiting")
                try await example.perform("SELECT tenure.sweep_waiting(NULL, 1000)")
                #expect(try await example.job(waiter, "state") == "waiting")
                #expect(wanted.contains(try await example.end(ends[1], "completed")))
                _ = try await example.settle()
                #expect(try await example.job(waiter, "state") == "available")
            }
        }
    }
}
