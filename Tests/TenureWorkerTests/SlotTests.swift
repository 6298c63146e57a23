import Synchronization
import Tenure
import TenureWorker
import Testing

/// A slot runs one job after another in one task: what one leaves behind must not touch the next.
@Suite struct SlotTests {
    @Test func `a cancelled run leaves its slot to jobs that are not cancelled`() async throws {
        let fixture = try await WorkerFixture("slot")
        let seen = Mutex<[Bool]>([])
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, _ in
            if job.text == "long" { try await Task.sleep(for: .seconds(60)) }
            seen.withLock { $0.append(Task.isCancelled) }
            return .completed
        }
        try await fixture.withWorker(jobs, slots: 1, lease: .seconds(30)) {
            for _ in 0..<5 {
                let long = try await fixture.client.enqueue(Edit(text: "long"))
                try await fixture.client.enqueue((0..<20).map { try NewJob(Edit(text: "\($0)")) })
                // A busy machine lets one claim row speak for all 21.
                try await fixture.eventually(
                    "it runs",
                    "SELECT count(*) = 1 FROM tenure.run_seen WHERE id = '\(long.id)'")
                try await Operator(client: fixture.client, as: "ada").cancel(long.id)
                try await fixture.eventually(
                    "all are over", "SELECT count(*) = 0 FROM tenure.job")
            }
        }
        #expect(seen.withLock { $0 } == Array(repeating: false, count: 100))
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'cancelled'") == 5)
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }

    @Test func `a handler that cancels its own task spoils no other run`() async throws {
        let fixture = try await WorkerFixture("own")
        let seen = Mutex<[Bool]>([])
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, _ in
            seen.withLock { $0.append(Task.isCancelled) }
            if job.text == "bad" { withUnsafeCurrentTask { $0?.cancel() } }
            return .completed
        }
        try await fixture.client.enqueue(
            (0..<40).map { try NewJob(Edit(text: $0 % 4 == 0 ? "bad" : "good")) })
        try await fixture.withWorker(jobs, slots: 2) {
            try await fixture.eventually("all are done", "SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(seen.withLock { $0 } == Array(repeating: false, count: 40))
    }

    /// The patient one asks for a thread twenty times, and each time the other slots have a turn:
    /// some 160 jobs. Where they take their next jobs first, it waits for all that is claimed; the
    /// quick ones see to it that this is much, also where the database is slow.
    @Test func `jobs that never wait leave room for those that do`() async throws {
        let fixture = try await WorkerFixture("room")
        let order = Mutex<[String]>([])
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, _ in
            if job.text == "quick" { return .completed }
            if job.text == "patient" {
                for _ in 0..<20 { await Task.yield() }
            } else {
                let end = ContinuousClock.now + .milliseconds(2)
                while ContinuousClock.now < end {}
            }
            order.withLock { $0.append(job.text) }
            return .completed
        }
        let quick = Array(repeating: "quick", count: 2000)
        let busy = Array(repeating: "busy", count: 700)
        try await fixture.client.enqueue(
            (quick + busy.prefix(10) + ["patient"] + busy).map { try NewJob(Edit(text: $0)) })
        try await fixture.withWorker(jobs, slots: 8, lease: .seconds(30)) {
            try await fixture.eventually("all are done", "SELECT count(*) = 0 FROM tenure.job")
        }
        let place = try #require(order.withLock { $0.firstIndex(of: "patient") })
        #expect(place < 300, "it was the \(place)th")
    }
}
