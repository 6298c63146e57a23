import Tenure
import TenureCLI
import TenureFoundation

/// The milliseconds between what the benchmark did and what a handler in another process noted.
struct Moments {
    private var started: [Int: Int64] = [:]
    private var jobs: [UUID] = []

    mutating func start(_ number: Int, _ job: JobID, at nanoseconds: Int64) {
        started[number] = nanoseconds
        jobs.append(job.uuid)
    }

    /// Asks the worker for its notes, by a job whose result they are: when all others have ended,
    /// or it could overtake one on a busy machine.
    /// - Parameter unseen: how large a share of the jobs may have ended before their handlers
    ///   began. They have no moment, and count for nothing.
    func delays(_ queue: BenchQueue, unseen: Double = 0) async throws -> [Double] {
        Array(try await delaysByNumber(queue, unseen: unseen).values)
    }

    /// The same, where one worker has noted several sorts of moments.
    func delaysByNumber(
        _ queue: BenchQueue, unseen: Double = 0
    ) async throws -> [Int: Double] {
        try await queue.waitUntilEnded(jobs)
        let report = try await queue.client.enqueue(BenchReport())
        let inspector = Inspector(pool: queue.pool)
        let limit = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < limit {
            if let result = try await inspector.job(report.id)?.result {
                let noted = try JSONDecoder().decode([String: Int64].self, from: Data(result.utf8))
                var seen: [Int: Double] = [:]
                for (number, start) in started {
                    seen[number] = noted["\(number)"].map { Double($0 - start) / 1e6 }
                }
                let missing = started.count - seen.count
                guard Double(missing) <= unseen * Double(started.count), !seen.isEmpty else {
                    throw Failure("the handlers of \(missing) of \(started.count) jobs saw nothing")
                }
                return seen
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure("the worker did not report within 60 s")
    }
}

/// Latencies, run by run.
struct Latencies {
    private var p50: [Double] = []
    private var p99: [Double] = []

    mutating func add(_ delays: [Double]) {
        p50.append(Statistics.percentile(0.5, of: delays))
        p99.append(Statistics.percentile(0.99, of: delays))
    }

    func results(
        _ name: String, raw: Latencies, bars: (p50: Double, p99: Double), samples: Int
    ) -> [FigureResult] {
        let details = ["samples_per_run": Double(samples)]
        return [
            FigureResult(
                "\(name)-p50", unit: "ms", p50, raw: raw.p50, bar: .atMost(bars.p50, "ms"),
                details: details),
            FigureResult(
                "\(name)-p99", unit: "ms", p99, raw: raw.p99, bar: .atMost(bars.p99, "ms"),
                details: details),
        ]
    }
}

extension BenchRun {
    func rawDelays(_ way: RawWakeup.Way) async throws -> [Double] {
        try await place.fresh { pool in
            try await yardstick.create(pool)
            return try await RawWakeup(pool: pool)
                .delays(way, samples: scale.latencySamples, pause: scale.latencyPause)
        }
    }
}
