import Tenure
import TenureWorker
import TestSupport
import Testing

extension SignalTests {
    @Test func `a signal that can't be read is not received, and can be had as another type`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            do {
                calls.add(try await context.signal("approved", as: Approval.self).by)
            } catch let error as TenureError where error.code == .unreadableResult {
                calls.add("unreadable")
                let names = try await context.signal("approved", as: [String].self)
                calls.add(names.joined())
            }
            return .completed
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        #expect(try await fixture.client.signal(job, "approved", ["a", "b"]) == .kept)
        try await fixture.withWorker(jobs) { try await ended(fixture) }
        #expect(calls.all == ["unreadable", "ab"])
    }

    @Test func `what an earlier run has received can be had as another type, too`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            if context.runs == 1 {
                calls.add(try await context.signal("approved", as: Approval.self).by)
                return .snooze(for: .milliseconds(1))
            }
            let wrong = await #expect(throws: TenureError.self) {
                try await context.signal("approved", as: [String].self)
            }
            #expect(wrong?.code == .unreadableResult)
            calls.add(try await context.signal("approved", as: Approval.self).by)
            return .completed
        }
        let job = try await fixture.client.enqueue(Ordering()).id
        try await fixture.client.signal(job, "approved", Approval(by: "ada"))
        try await fixture.withWorker(jobs) { try await ended(fixture) }
        #expect(calls.all == ["ada", "ada"])
    }

    @Test func `a job that a signal has failed is retried without it`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        try await fixture.withWorker(approving(calls)) {
            var options = EnqueueOptions()
            options.maxAttempts = 1
            let job = try await fixture.client.enqueue(Ordering(), options: options).id
            try await fixture.client.signal(job, "approved", ["nobody"])
            try await ended(fixture)
            let past = try #require(try await Inspector(pool: fixture.pool).job(job))
            #expect(past.summary.status == .discarded && past.steps.isEmpty)
            let someone = Operator(client: fixture.client, as: "ada")
            let new = try #require(try await someone.retry(job)).id
            try await waits(fixture)
            #expect(try await fixture.client.signal(new, "approved", Approval(by: "a")) == .woken)
            try await ended(fixture, 2)
        }
        #expect(calls.all == ["run", "run", "run", "a"])
    }

    @Test func `a signal to a key is sent with the caller's transaction`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        try await fixture.withWorker(approving(calls)) {
            try await fixture.client.enqueue(Ordering(), .keeping("order-1"))
            try await waits(fixture)
            struct Broken: Error {}
            func send(_ name: String, breaking: Bool) async throws {
                try await fixture.pool.transaction { transaction in
                    let answer = try await fixture.client.signal(
                        Ordering.self, key: "order-1", "approved", Approval(by: name),
                        in: transaction)
                    #expect(answer == .woken)
                    if breaking { throw Broken() }
                }
            }
            await #expect(throws: Broken.self) { try await send("eve", breaking: true) }
            try await send("ada", breaking: false)
            try await ended(fixture)
        }
        #expect(calls.all == ["run", "run", "ada"])
    }
}
