import Foundation
import Tenure
import Testing

/// Lanes in strict order while jobs fail, sleep and snooze and their workers are killed. With
/// `TENURE_STRICT_JOBS=100000` as many as that: before a release, `bin/test strict`.
@Suite(.serialized) struct StrictOrderTests {
    private static let jobs =
        ProcessInfo.processInfo.environment["TENURE_STRICT_JOBS"].flatMap(Int.init) ?? 600
    private static let lanes = max(12, jobs / 200)
    private static let workers = 3
    private static let slots = 8

    /// Most do nothing; some fail or snooze first, and some take longer than a worker lives.
    private func payload(_ number: Int) -> String {
        let plan =
            switch number % 29 {
            case 3: #""milliseconds": [0], "behaviour": "flaky", "times": 1"#
            case 7: #""milliseconds": [0], "behaviour": "snoozing", "times": 1"#
            case 11: #""milliseconds": [120], "behaviour": "steady""#
            case 19: #""milliseconds": [0], "behaviour": "discarding""#
            default: #""milliseconds": [0], "behaviour": "plain""#
            }
        return #"{"plan": {\#(plan)}}"#
    }

    private func enqueue(_ fixture: FaultFixture) async throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        var first = 0
        while first < Self.jobs {
            let part = first..<min(first + 5000, Self.jobs)
            let news = try part.map { number in
                try NewJob(
                    kind: "work", payload: payload(number / Self.lanes), nil, maxAttempts: 100,
                    options: EnqueueOptions(
                        lane: Lane("line \(number % Self.lanes)", order: .strict)))
            }
            for (number, job) in zip(part, try await fixture.client.enqueue(news)) {
                numbers[job.id.description.lowercased()] = number
            }
            first = part.upperBound
        }
        return numbers
    }

    /// Kills one after the other and puts another in its place until all jobs are over.
    private func runAll(_ fixture: FaultFixture) async throws -> (all: [WorkerProcess], kills: Int)
    {
        func start() throws -> WorkerProcess {
            try WorkerProcess(conninfo: fixture.conninfo, lease: 1.5, slots: Self.slots)
        }
        var all: [WorkerProcess] = []
        var live: [WorkerProcess] = []
        for _ in 0..<Self.workers { live.append(try start()) }
        all = live
        defer { for worker in live { worker.send(SIGKILL) } }
        var kills = 0
        let end = ContinuousClock.now + .seconds(120 + Self.jobs / 20)
        while try await fixture.number("SELECT count(*) FROM (SELECT FROM tenure.job LIMIT 1) j")
            > 0
        {
            try #require(ContinuousClock.now < end, "the jobs don't come to their end")
            try await Task.sleep(for: .milliseconds(1000))
            let victim = live.removeFirst()
            victim.send(SIGKILL)
            kills += 1
            live.append(try start())
            all.append(live[live.count - 1])
        }
        for worker in live { worker.send(SIGTERM) }
        for worker in live { _ = try await worker.end() }
        live = []
        return (all, kills)
    }

    @Test func `no job of a lane starts before the one before it is over`() async throws {
        let fixture = try await FaultFixture()
        let numbers = try await enqueue(fixture)
        let (workers, kills) = try await runAll(fixture)
        // By one clock of the machine, whoever of the processes wrote it down.
        let starts = workers.flatMap { $0.seen("handlerStarted") }.sorted { $0.boot < $1.boot }
        var last: [Int: Int] = [:]
        var outOfOrder = 0
        var again = 0
        for line in starts {
            let number = try #require(line.job.flatMap { numbers[$0.lowercased()] })
            let lane = number % Self.lanes
            if let before = last[lane] {
                if number < before { outOfOrder += 1 }
                if number == before { again += 1 }
            }
            last[lane] = number
        }
        #expect(outOfOrder == 0)
        // By the database's clock: each was claimed, that last time and when it failed before,
        // after the one before it in its lane had ended.
        let overlaps = try await fixture.number(
            """
            WITH line AS (
                SELECT h.id, h.claimed_at, lag(h.finished_at) OVER (
                    PARTITION BY h.lane ORDER BY h.finished_at) AS other
                FROM tenure.job_history h)
            SELECT count(*) FROM line l
            WHERE l.claimed_at < l.other OR EXISTS (
                SELECT FROM tenure.attempt_error e
                WHERE e.job_id = l.id AND e.failed_at < l.other)
            """)
        #expect(overlaps == 0)
        #expect(try await fixture.number("SELECT count(*) FROM tenure.job_history") == Self.jobs)
        #expect(again > 0, "something was run again")
        print(
            "\(Self.jobs) jobs in \(Self.lanes) lanes, \(kills) kills: \(starts.count) starts, "
                + "\(again) again, \(outOfOrder) out of order")
    }
}
