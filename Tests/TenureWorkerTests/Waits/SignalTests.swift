import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// Waits that hold nothing: the run ends, and a later one goes on.
@Suite struct SignalTests {
    struct Approval: Codable, Sendable, Equatable { let by: String }
    typealias Calls = StepTests.Calls

    func waits(_ fixture: WorkerFixture) async throws {
        try await fixture.eventually(
            "waits", "SELECT count(*) = 1 FROM tenure.job WHERE state IN ('waiting', 'scheduled')")
    }

    func ended(_ fixture: WorkerFixture, _ number: Int = 1) async throws {
        try await fixture.eventually(
            "it ended", "SELECT count(*) = \(number) FROM tenure.job_history")
    }

    func approving(_ calls: Calls, within limit: Duration? = nil) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            calls.add("run")
            if let limit {
                let found = try await context.signal("approved", as: Approval.self, within: limit)
                calls.add(found?.by ?? "nobody")
            } else {
                calls.add(try await context.signal("approved", as: Approval.self).by)
            }
            return .completed
        }
        return jobs
    }

    @Test func `a signal reaches a job that waits for it, and costs no attempt`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        try await fixture.withWorker(approving(calls)) {
            let job = try await fixture.client.enqueue(Ordering()).id
            try await waits(fixture)
            let inspector = Inspector(pool: fixture.pool)
            let detail = try #require(try await inspector.job(job))
            #expect(detail.summary.status == .waiting)
            #expect(detail.waits.map(\.signal) == ["approved"])
            let delays = try await inspector.delays(of: detail)
            #expect(delays.map(\.detail) == [#"waits for signal "approved""#])
            let sent = try await fixture.client.signal(job, "approved", Approval(by: "ada"))
            #expect(sent == .woken)
            try await ended(fixture)
            let past = try #require(try await inspector.job(job))
            #expect(past.summary.attempt == 1 && past.runs == 2)
            #expect(past.steps.map(\.way) == [.signal])
            #expect(try await fixture.client.signal(job, "approved") == .finished)
            #expect(try await fixture.client.signal(JobID(), "approved") == .unknown)
        }
        #expect(calls.all == ["run", "run", "ada"])
    }

    @Test func `a signal that comes first is kept, one that comes twice counts once`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        let job = try await fixture.client.enqueue(Ordering()).id
        let id = UUID()
        let client = fixture.client
        #expect(try await client.signal(job, "approved", Approval(by: "a"), id: id) == .kept)
        #expect(try await client.signal(job, "approved", Approval(by: "b"), id: id) == .repeated)
        #expect(try await client.signal(job, "other", Approval(by: "c")) == .kept)
        try await fixture.withWorker(approving(calls)) { try await ended(fixture) }
        // It was there already: the run did not end for it.
        #expect(calls.all == ["run", "a"])
    }

    @Test func `a wait with an end is over in time, and stays so`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            let came = try await context.signal("paid", within: .milliseconds(300))
            calls.add("\(came)")
            try await context.signal("go")
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Ordering()).id
            try await fixture.eventually(
                "waits for go",
                "SELECT count(*) = 1 FROM tenure.job_wait WHERE signal = 'go'")
            #expect(try await fixture.client.signal(job, "paid") == .kept)
            #expect(try await fixture.client.signal(job, "go") == .woken)
            try await ended(fixture)
            let past = try #require(try await Inspector(pool: fixture.pool).job(job))
            #expect(past.steps.map(\.way) == [.timeout, .signal])
        }
        #expect(calls.all == ["false", "false"])
    }

    @Test func `a sleep holds no slot, and wakes at its time`() async throws {
        let fixture = try await WorkerFixture("signals")
        let times = Mutex<[Date]>([])
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            times.withLock { $0.append(Date()) }
            try await context.sleep(for: .milliseconds(500))
            times.withLock { $0.append(Date()) }
            try await context.sleep(until: Date() + 0.3, step: "once more")
            times.withLock { $0.append(Date()) }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering())
            try await fixture.eventually(
                "sleeps",
                "SELECT count(*) = 1 FROM tenure.job WHERE state = 'scheduled' AND fence IS NULL")
            try await ended(fixture)
        }
        let seen = times.withLock { $0 }
        #expect(seen.count == 6)
        #expect(seen[2].timeIntervalSince(seen[0]) >= 0.49)
        #expect(seen[5].timeIntervalSince(seen[2]) >= 0.29)
    }

    @Test func `children wait together, and the steps beside them come to their end`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            async let charge: Void = context.step("charge") {
                try await Task.sleep(for: .milliseconds(200))
                calls.add("charge")
            }
            async let first: Void = context.signal("a")
            async let second: Void = context.signal("b")
            _ = try await (charge, first, second)
            calls.add("all")
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Ordering()).id
            try await waits(fixture)
            try await fixture.client.signal(job, "b")
            try await fixture.eventually(
                "waits for a",
                "SELECT coalesce(array_agg(signal) = '{a}', false) FROM tenure.job_wait "
                    + "JOIN tenure.job j ON j.id = job_id AND state = 'waiting'")
            try await fixture.client.signal(job, "a")
            try await ended(fixture)
        }
        #expect(calls.all == ["charge", "all"])
    }

    @Test func `who swallows the end of the run waits all the same, and commits nothing`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            do {
                try await context.signal("go")
            } catch {
                do {
                    return try await context.commit()
                } catch let error as TenureError {
                    calls.add("\(error.code)")
                }
                return .discard(reason: "never")
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Ordering()).id
            try await waits(fixture)
            try await fixture.client.signal(job, "go")
            try await ended(fixture)
        }
        #expect(calls.all == ["misuse"])
        #expect(
            try await fixture.value("SELECT outcome::text FROM tenure.job_history", as: String.self)
                == "completed")
    }

    @Test func `a wait within a step is refused`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            do {
                try await context.step("charge") { try await context.signal("go") }
            } catch let error as TenureError { calls.add(error.message) }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering())
            try await ended(fixture)
        }
        #expect(calls.all.count == 1 && calls.all[0].contains("within its step \"charge\""))
    }

    @Test func `what waits can be superseded and cancelled`() async throws {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        try await fixture.withWorker(approving(calls, within: .seconds(600))) {
            let first = try await fixture.client.enqueue(Ordering(), .superseding("a")).id
            try await waits(fixture)
            let second = try await fixture.client.enqueue(Ordering(), .superseding("a")).id
            try await ended(fixture)
            try await waits(fixture)
            // A signal is its job's own.
            #expect(try await fixture.client.signal(first, "approved") == .finished)
            let cancelled = try await Operator(client: fixture.client, as: "eve").cancel(second)
            #expect(cancelled == .cancelled)
        }
        let outcomes = try await fixture.value(
            "SELECT string_agg(outcome::text, ' ' ORDER BY finished_at) FROM tenure.job_history",
            as: String.self)
        #expect(outcomes == "superseded cancelled")
    }

    @Test func `a signal goes with its sender's transaction, from Swift and from SQL`()
        async throws
    {
        let fixture = try await WorkerFixture("signals")
        let calls = Calls()
        try await fixture.withWorker(approving(calls)) {
            let job = try await fixture.client.enqueue(Ordering(), .keeping("k")).id
            try await waits(fixture)
            struct Undone: Error {}
            await #expect(throws: Undone.self) {
                try await fixture.pool.transaction { transaction in
                    let sent = try await fixture.client.signal(
                        job, "approved", Approval(by: "x"), in: transaction)
                    #expect(sent == .woken)
                    throw Undone()
                }
            }
            let answer = try await fixture.value(
                "SELECT tenure.signal_key('ordering', 'k', 'approved', '{\"by\": \"sql\"}')",
                as: String.self)
            #expect(answer == "woken")
            try await ended(fixture)
        }
        #expect(calls.all == ["run", "run", "sql"])
    }
}
