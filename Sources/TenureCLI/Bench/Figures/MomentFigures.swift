import FoundationEssentials
import Tenure

/// The milliseconds between what the benchmark did and what a handler in another process noted.
struct Moments {
    private var started: [Int: Int64] = [:]

    mutating func start(_ number: Int, at nanoseconds: Int64) { started[number] = nanoseconds }

    /// Asks the worker for its notes, by a job whose result they are.
    func delays(_ queue: BenchQueue) async throws -> [Double] {
        let report = try await queue.client.enqueue(BenchReport())
        let inspector = Inspector(pool: queue.pool)
        let limit = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < limit {
            if let result = try await inspector.job(report.id)?.result {
                let noted = try JSONDecoder().decode([String: Int64].self, from: Data(result.utf8))
                return try started.map { number, start in
                    guard let end = noted["\(number)"] else {
                        throw Failure("a handler did not see job \(number)")
                    }
                    return Double(end - start) / 1e6
                }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Failure("the worker did not report within 60 s")
    }

    static func results(
        _ name: String, p50: [Double], p99: [Double], bars: (p50: Double, p99: Double),
        samples: Int
    ) -> [FigureResult] {
        let details = ["samples_per_run": Double(samples)]
        return [
            FigureResult(
                "\(name)-p50", unit: "ms", p50, bar: .atMost(bars.p50, "ms"), details: details),
            FigureResult(
                "\(name)-p99", unit: "ms", p99, bar: .atMost(bars.p99, "ms"), details: details),
        ]
    }
}

/// Commit of an enqueue to the start of its handler, in an idle worker.
struct PickUpFigure {
    let bench: BenchRun

    func measure() async throws -> [FigureResult] {
        var p50: [Double] = []
        var p99: [Double] = []
        try await bench.rounds("pick-up") { _ in
            let delays = try await bench.place.fresh { pool in
                let queue = BenchQueue(pool)
                return try await BenchCrew.with(bench.crew, in: bench.place, pool) { _ in
                    try await sample(queue)
                }
            }
            p50.append(Statistics.percentile(0.5, of: delays))
            p99.append(Statistics.percentile(0.99, of: delays))
        }
        return Moments.results(
            "pick-up", p50: p50, p99: p99, bars: (1, 5), samples: bench.scale.latencySamples)
    }

    private func sample(_ queue: BenchQueue) async throws -> [Double] {
        var moments = Moments()
        for number in 0..<bench.scale.latencySamples {
            let committed = Lock<Int64>(0)
            try await queue.pool.transaction { transaction in
                // Before the client's own hook, which sends the wake-up.
                transaction.addAfterCommit {
                    let now = SharedClock.nanoseconds
                    committed.withLock { $0 = now }
                }
                try queue.client.enqueue(BenchMark(number: number), in: transaction)
            }
            moments.start(number, at: committed.withLock { $0 })
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
        }
        return try await moments.delays(queue)
    }
}

/// From the commit of a superseding enqueue, and from the call of a cancel, until the running
/// handler is cancelled.
struct VerdictFigure {
    let bench: BenchRun

    private enum Way: String, CaseIterable { case superseded, cancelled }

    func measure() async throws -> [FigureResult] {
        var results: [FigureResult] = []
        for way in Way.allCases {
            var p50: [Double] = []
            var p99: [Double] = []
            try await bench.rounds(way.rawValue) { _ in
                let delays = try await bench.place.fresh { pool in
                    let queue = BenchQueue(pool)
                    return try await BenchCrew.with(bench.crew, in: bench.place, pool) { _ in
                        try await sample(way, queue)
                    }
                }
                p50.append(Statistics.percentile(0.5, of: delays))
                p99.append(Statistics.percentile(0.99, of: delays))
            }
            results += Moments.results(
                way.rawValue, p50: p50, p99: p99, bars: (2, 10),
                samples: bench.scale.latencySamples)
        }
        return results
    }

    private func sample(_ way: Way, _ queue: BenchQueue) async throws -> [Double] {
        var moments = Moments()
        for number in 0..<bench.scale.latencySamples {
            let job = try await queue.client.enqueue(
                BenchWait(number: number), .superseding("key-\(number)"))
            try await waitUntilRunning(job.id, queue)
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
            switch way {
            case .superseded: moments.start(number, at: try await supersede(number, queue))
            case .cancelled:
                let now = SharedClock.nanoseconds
                try await queue.operators.cancel(job.id)
                moments.start(number, at: now)
            }
            try await waitUntilEnded(job.id, queue)
        }
        return try await moments.delays(queue)
    }

    /// The newer job is due in a day: it must not be the wake-up that counts.
    private func supersede(_ number: Int, _ queue: BenchQueue) async throws -> Int64 {
        var options = EnqueueOptions()
        options.runTime = .after(.seconds(86_400))
        let committed = Lock<Int64>(0)
        try await queue.pool.transaction { [options] transaction in
            transaction.addAfterCommit {
                let now = SharedClock.nanoseconds
                committed.withLock { $0 = now }
            }
            try queue.client.enqueue(
                BenchWait(number: -1), .superseding("key-\(number)"), options: options,
                in: transaction)
        }
        return committed.withLock { $0 }
    }

    private func waitUntilRunning(_ id: JobID, _ queue: BenchQueue) async throws {
        try await wait("a job to start") {
            try await Inspector(pool: queue.pool).job(id)?.summary.status == JobStatus.running
        }
    }

    private func waitUntilEnded(_ id: JobID, _ queue: BenchQueue) async throws {
        try await wait("a job to end") {
            try await queue.pool.execute(UnfinishedJobs(ids: [id.uuid])).isEmpty
        }
    }

    private func wait(_ what: String, _ isDone: () async throws -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(60)
        while try await !isDone() {
            guard ContinuousClock.now < limit else { throw Failure("waited 60 s for \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
