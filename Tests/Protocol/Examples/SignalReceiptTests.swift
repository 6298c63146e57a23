import Testing

/// What is said of signals that are received by their ids.
@Suite struct SignalReceiptTests {
    @Test func `A signal is received once, by the run that has its job`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", "").map(\.id)
            try await example.claim(session)
            let ids = (1...2).map { "00000000-0000-7000-8000-0000000007e\($0)" }
            for (job, id) in zip(jobs, ids) {
                try await example.perform(
                    "SELECT tenure.send_signal('\(job)', 's', '1', '\(id)', 'ada')")
            }
            let fence = try await example.job(jobs[0], "fence")
            func take(_ id: String, as step: String, fence: String) -> String {
                "SELECT tenure.take_signal('\(jobs[0])', \(fence), '\(step)', \(id))"
            }
            try await example.perform(take("'\(ids[0])'", as: "one", fence: fence))
            // Where its sender doesn't know that it got through.
            try await example.perform(take("'\(ids[0])'", as: "one", fence: fence))
            for (id, step) in [
                ("'\(ids[0])'", "again"), ("'\(ids[1])'", "another's"), ("NULL", "none"),
            ] {
                let refusal = try await example.refusal(
                    take(id, as: step.replacing("'", with: ""), fence: fence))
                #expect(refusal == "TN003", "\(step)")
            }
            // A fence that was never given.
            let late = take("'\(ids[0])'", as: "late", fence: "987654321")
            #expect(try await example.refusal(late) == "TN001")
            #expect(
                try await example.rows(
                    "SELECT name FROM tenure.job_step WHERE job_id = '\(jobs[0])'") == ["one"])
        }
    }
}
