import Tenure
import TenureCLI
import TenureFoundation

/// Jobs that wait for a signal, and others that sleep: what an idle worker's statements are with
/// them and without, and how long a handler takes to go on behind its wait once the signal is
/// committed, beside the pick-up of a new job by the same worker.
struct SignalsFigure {
    let bench: BenchRun

    private struct Seen {
        /// Statements a minute.
        var without: [Double] = []
        var with: [Double] = []
        var more: [Double] = []
        /// Medians, in ms.
        var pickUps: [Double] = []
        var signals: [Double] = []
    }

    func measure() async throws {
        var seen = Seen()
        try await bench.rounds("signals") { number in
            seen = try await bench.place.fresh { [seen] pool in
                try await BenchCrew.with(bench.crew, in: bench.place, pool) { _ in
                    try await round(seen, BenchQueue(pool), number)
                }
            }
        }
        try bench.report(statements(seen) + latencies(seen))
    }

    private func statements(_ seen: Seen) -> [FigureResult] {
        let details = [
            "jobs": Double(bench.scale.signalJobs), "seconds": bench.scale.idleTime / .seconds(1),
            "without": Statistics.median(seen.without),
        ]
        return [
            FigureResult(
                "signals-statements", unit: "per min", seen.with,
                baseline: ("an idle worker without them", seen.without), details: details),
            FigureResult(
                "signals-statements-more", unit: "per min", seen.more,
                bar: .atMost(0, "per min"), details: details),
        ]
    }

    private func latencies(_ seen: Seen) -> [FigureResult] {
        let details = [
            "jobs": Double(bench.scale.signalJobs),
            "samples_per_run": Double(bench.scale.latencySamples),
            "pick_up": Statistics.median(seen.pickUps),
        ]
        return [
            FigureResult(
                "signals-p50", unit: "ms", seen.signals,
                baseline: ("a pick-up", seen.pickUps), details: details),
            FigureResult(
                "signals-p50-more", unit: "ms", zip(seen.signals, seen.pickUps).map { $0 - $1 },
                bar: .atMost(0.5, "ms"), details: details),
        ]
    }

    private func round(_ before: Seen, _ queue: BenchQueue, _ number: Int) async throws -> Seen {
        var seen = before
        // It has worked before: what it keeps from then is kept.
        try await queue.prepare(keeps: true)
        _ = try await queue.drain(queue.fill(bench.scale.idleJobs))
        let without = try await idleStatements(queue)
        let waiting = try await wait(queue, number)
        let with = try await idleStatements(queue)
        seen.without.append(aMinute(without.values.reduce(0, +)))
        seen.with.append(aMinute(with.values.reduce(0, +)))
        seen.more.append(aMinute(Self.more(with, than: without)))
        let (pickUps, signals) = try await sample(queue, waiting)
        seen.pickUps.append(Statistics.percentile(0.5, of: pickUps))
        seen.signals.append(Statistics.percentile(0.5, of: signals))
        return seen
    }

    private func idleStatements(_ queue: BenchQueue) async throws -> [String: Int] {
        try await Task.sleep(for: bench.scale.idleRest)
        return try await StatementCount(pool: queue.pool).during(bench.scale.idleTime)
    }

    private func aMinute(_ count: Int) -> Double {
        Double(count) * 60 / (bench.scale.idleTime / .seconds(1))
    }

    /// One of each sort is not counted: of what a worker does every few seconds, one more or less
    /// falls into a span, by where that begins.
    private static func more(_ with: [String: Int], than without: [String: Int]) -> Int {
        with.reduce(0) { $0 + max(0, $1.value - (without[$1.key] ?? 0) - 1) }
    }

    /// Has the worker run all of them to their wait, as it would any: half of them are to be sent
    /// a signal, half of them sleep.
    /// - Returns: those that wait for a signal, in order.
    private func wait(_ queue: BenchQueue, _ number: Int) async throws -> [JobID] {
        let count = bench.scale.signalJobs
        let ids = try await queue.fill(count) {
            $0.isMultiple(of: 2) ? try NewJob(BenchApproval(number: $0)) : try NewJob(BenchSleep())
        }
        let limit = ContinuousClock.now + .seconds(1800)
        while true {
            let waiting = try await queue.pool.execute(CountWaiting())[0]
            if waiting == count { break }
            bench.say("signals: run \(number) of \(bench.runs), \(waiting) of \(count) jobs wait")
            guard ContinuousClock.now < limit else {
                throw Failure("the jobs did not come to their wait in half an hour")
            }
            try await Task.sleep(for: .seconds(1))
        }
        for table in ["tenure.job", "tenure.job_wait"] { try await queue.settle(table) }
        return stride(from: 0, to: count, by: 2).map { JobID(ids[$0]) }
    }

    /// A pick-up and a signal in turn, so that what else the machine does meets both.
    private func sample(
        _ queue: BenchQueue, _ waiting: [JobID]
    ) async throws -> (pickUps: [Double], signals: [Double]) {
        let samples = min(bench.scale.latencySamples, waiting.count)
        let first = bench.scale.signalJobs  // of the numbers that no job has that waits
        var moments = Moments()
        for number in 0..<samples {
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
            let mark = try await committed(queue) { transaction in
                try queue.client.enqueue(BenchMark(number: first + number), in: transaction).id
            }
            moments.start(first + number, mark.job, at: mark.at)
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
            let signal = try await committed(queue) { transaction in
                let job = waiting[number]
                let result = try await queue.client.signal(job, "approved", in: transaction)
                guard result == .woken else {
                    throw Failure("a signal to a job that waits was \(result.rawValue)")
                }
                return job
            }
            moments.start(2 * number, signal.job, at: signal.at)
        }
        let delays = try await moments.delaysByNumber(queue)
        return (
            delays.filter { $0.key >= first }.map(\.value),
            delays.filter { $0.key < first }.map(\.value)
        )
    }

    /// - Returns: the job of it, and when the commit was known.
    private func committed(
        _ queue: BenchQueue, _ body: @Sendable (PostgresTransaction) async throws -> JobID
    ) async throws -> (job: JobID, at: Int64) {
        let moment = Lock<Int64>(0)
        let job = try await queue.pool.transaction { transaction in
            // Before the client's own hook, which sends the wake-up.
            try transaction.addAfterCommit {
                let now = SharedClock.nanoseconds
                moment.withLock { $0 = now }
            }
            return try await body(transaction)
        }
        return (job, moment.withLock { $0 })
    }
}

/// How many jobs wait for a signal or a time, and do not run.
struct CountWaiting: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM tenure.job_wait w JOIN tenure.job j ON j.id = w.job_id
        WHERE j.state IN ('scheduled', 'waiting')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
