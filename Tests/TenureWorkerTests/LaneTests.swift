import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// Lanes as a program uses them: turns, holds, and jobs that go on in another lane.
@Suite struct LaneTests {
    private func options(
        _ lane: String, most: Int = 1, every interval: Duration = .zero
    ) -> EnqueueOptions {
        var options = EnqueueOptions()
        options.lane = Lane(lane, maxRunning: most, minInterval: interval)
        return options
    }

    @Test func `a job starts at once beside a lane with a hundred thousand`() async throws {
        let fixture = try await WorkerFixture("fair")
        let started = Mutex<ContinuousClock.Instant?>(nil)
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, _ in
            if job.text == "small" {
                started.withLock { $0 = .now }
            } else {
                try await Task.sleep(for: .milliseconds(20))
            }
            return .completed
        }
        for _ in 0..<10 {
            try await fixture.client.enqueue(
                (0..<10_000).map { _ in
                    try NewJob(Edit(text: "crowd"), options: options("crowd", most: 1000))
                })
        }
        try await fixture.withWorker(jobs, slots: 4) {
            try await fixture.eventually(
                "the crowd runs", "SELECT count(*) < 99000 FROM tenure.job")
            let asked = ContinuousClock.now
            try await fixture.client.enqueue(Edit(text: "small"), options: options("small"))
            try await fixture.eventually(
                "the small one is done", "SELECT count(*) = 0 FROM tenure.job WHERE lane = 'small'")
            let took = started.withLock { $0 }.map { asked.duration(to: $0) }
            print("beside 100,000 of another lane it started after \(took.map { "\($0)" } ?? "-")")
            #expect(try #require(took) < .seconds(1))
        }
    }

    @Test func `a snooze that holds its lane keeps all of it away until then`() async throws {
        let fixture = try await WorkerFixture("hold")
        let starts = Mutex<[(String, ContinuousClock.Instant)]>([])
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, context in
            let isFirst = starts.withLock { starts in
                starts.append((job.text, .now))
                return starts.count == 1
            }
            guard isFirst else { return .completed }
            let pause = Duration.milliseconds(700)
            return .snooze(for: pause, holding: LaneHold("a", for: pause, reason: "429"))
        }
        try await fixture.client.enqueue(
            (0..<3).map { try NewJob(Edit(text: "\($0)"), options: options("a")) })
        try await fixture.withWorker(jobs, slots: 2) {
            try await fixture.eventually("all are done", "SELECT count(*) = 0 FROM tenure.job")
        }
        let all = starts.withLock { $0 }
        #expect(all.count == 4)
        let pause = all[0].1.duration(to: all[1].1)
        #expect(pause >= .milliseconds(690) && pause < .seconds(3) * patience, "\(pause)")
        #expect(
            try await fixture.count(
                "tenure.job_history WHERE outcome = 'completed' AND attempt = 1") == 3)
        let lane = try await Lanes(client: fixture.client).status(of: "a")
        #expect(lane?.heldUntil == nil && lane?.running == 0)
    }

    @Test(.disabled(if: TestPostgres.isPooled, "a pooler hides notifications"))
    func `an operator's hold and its release are told to the workers`() async throws {
        let fixture = try await WorkerFixture("operator")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, _ in .completed }
        let lanes = Lanes(client: fixture.client)
        try await lanes.hold("a", for: .seconds(3600), reason: "their mail", by: "ada")
        let status = try #require(try await lanes.status(of: "a"))
        #expect(status.heldBy == "ada" && status.holdReason == "their mail")
        #expect(status.maxRunning == nil)
        let held = try await fixture.client.enqueue(Edit(text: "a"), options: options("a"))
        let pollsRarely = { (worker: inout WorkerConfiguration) in
            worker.pollInterval = .seconds(30)
        }
        try await fixture.withWorker(jobs, change: pollsRarely) {
            try await fixture.client.enqueue(Edit(text: "b"), options: options("b"))
            try await fixture.eventually(
                "the other lane is done", "SELECT count(*) = 1 FROM tenure.job")
            let job = try #require(try await Inspector(pool: fixture.pool).job(held.id))
            let delays = try await Inspector(pool: fixture.pool).delays(of: job)
            #expect(delays.map(\.rule) == [.laneOnHold])
            #expect(delays.nextTry.map { $0 > Date() } == true)
            let began = ContinuousClock.now
            #expect(try await lanes.release("a"))
            try await fixture.eventually("it is done", "SELECT count(*) = 0 FROM tenure.job")
            // The poll would come after half a minute.
            #expect(began.duration(to: .now) < .seconds(15))
        }
        #expect(try await lanes.release("a") == false)
    }

    @Test func `a job goes on in another lane as the same job, and costs no attempt`()
        async throws
    {
        let fixture = try await WorkerFixture("move")
        let seen = Mutex<[String]>([])
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { job, context in
            seen.withLock { $0.append("\(job.text) in \(context.lane ?? "none")") }
            guard job.text != "third" else { return .completed }
            let next = job.text == "first" ? "second" : "third"
            return try await context.goOn(
                in: Lane("of \(next)", minInterval: .milliseconds(10)), as: Edit(text: next))
        }
        let job = try await fixture.client.enqueue(
            Edit(text: "first"), .keeping("k"), options: options("of first"))
        try await fixture.withWorker(jobs) {
            try await fixture.eventually("it is done", "SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(
            seen.withLock { $0 } == [
                "first in of first", "second in of second", "third in of third",
            ])
        #expect(
            try await fixture.count(
                "tenure.job_history WHERE id = '\(job.id)' AND attempt = 1 AND runs = 3") == 1)
    }

    @Test func `set limits hold at once, and bad ones are refused by name`() async throws {
        let fixture = try await WorkerFixture("set")
        let lanes = Lanes(client: fixture.client)
        try await lanes.set("a", maxRunning: 3, minInterval: nil, by: "ada")
        try await lanes.slow("a", to: .seconds(9))
        let status = try #require(try await lanes.status(of: "a"))
        #expect(status.maxRunning == 3 && status.minInterval == .zero && status.setBy == "ada")
        let error = await #expect(throws: TenureError.self) {
            try await lanes.set("a", maxRunning: 0, minInterval: nil, by: "ada")
        }
        #expect(error?.message == "maxRunning is 0; give 1 to 1000000")
        #expect(try await lanes.list(onlyBusy: true).map(\.name) == ["a"])
    }
}
