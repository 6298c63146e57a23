import Tenure
import TenurePostgres
import TenureWorker
import TestSupport
import Testing

/// What is received is written down while the handler goes on.
extension SignalTests {
    private func said(_ word: String, _ calls: Calls) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !calls.all.contains(word) {
            try #require(ContinuousClock.now < end, "\(word): \(calls.all)")
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test func `a handler goes on with a signal, and commits nothing before its receipt`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            calls.add(try await context.signal("approved", as: Approval.self).by)
            try await context.step("book") { calls.add("booked") }
            calls.add("kept")
            return .completed
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        try await fixture.client.signal(job, "approved", Approval(by: "ada"))
        try await fixture.withWorker(jobs) {
            try await fixture.pool.transaction { transaction in
                _ = try await transaction.query("SELECT FROM tenure.job_signal FOR UPDATE")
                try await said("booked", calls)
                try await Task.sleep(for: .milliseconds(100))
                #expect(calls.all == ["ada", "booked"])
                #expect(try await fixture.count("tenure.job_step") == 0)
            }
            try await ended(fixture)
        }
        let past = try #require(try await Inspector(pool: fixture.pool).job(job))
        #expect(past.steps.map(\.way) == [.signal, .done])
        #expect(calls.all == ["ada", "booked", "kept"] && past.runs == 1)
    }

    @Test func `a run that ends waits for its receipt, whatever its end`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            calls.add(try await context.signal("approved", as: Approval.self).by)
            return .discard(reason: "no use")
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        try await fixture.client.signal(job, "approved", Approval(by: "ada"))
        try await fixture.withWorker(jobs) {
            try await fixture.pool.transaction { transaction in
                _ = try await transaction.query("SELECT FROM tenure.job_signal FOR UPDATE")
                try await said("ada", calls)
                try await Task.sleep(for: .milliseconds(100))
                #expect(try await fixture.count("tenure.job_history") == 0)
            }
            try await ended(fixture)
        }
        let past = try #require(try await Inspector(pool: fixture.pool).job(job))
        #expect(past.summary.status == .discarded && past.steps.map(\.way) == [.signal])
    }

    @Test func `a receipt that can't be written fails the run, which commits nothing`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            calls.add(try await context.signal("approved", as: Approval.self).by)
            if context.runs == 1 {
                await #expect(throws: PostgresError.self) {
                    try await context.step("book") { _ in }
                }
            }
            return .completed
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        try await fixture.client.signal(job, "approved", Approval(by: "ada"))
        try await fixture.pool.simple(
            "ALTER TABLE tenure.job_signal ADD CONSTRAINT odd CHECK (taken_as IS NULL)")
        try await fixture.withWorker(jobs) {
            try await fixture.eventually(
                "the run has failed", "SELECT count(*) = 1 FROM tenure.attempt_error")
            try await fixture.pool.simple("ALTER TABLE tenure.job_signal DROP CONSTRAINT odd")
            try await ended(fixture)
        }
        let past = try #require(try await Inspector(pool: fixture.pool).job(job))
        #expect(past.steps.map(\.way) == [.signal] && past.summary.status == .completed)
        #expect(calls.all.allSatisfy { $0 == "ada" } && calls.all.count == past.runs)
    }

    @Test func `two children that wait for one name at once get a signal each`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            async let one = context.signal("approved", as: Approval.self, step: "one")
            async let two = context.signal("approved", as: Approval.self, step: "two")
            let both = try await [one.by, two.by].sorted()
            calls.add(both.joined(separator: " "))
            return .completed
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        for name in ["ada", "bob"] {
            try await fixture.client.signal(job, "approved", Approval(by: name))
        }
        try await fixture.withWorker(jobs) { try await ended(fixture) }
        #expect(calls.all == ["ada bob"])
    }
}
