import Tenure
import TenureCLI
import TenureFoundation

/// A long run under one open snapshot, in stretches that are enqueued while the queue is held and
/// then drained: a tenth keyed, a hundredth in lanes, a hundredth fails once; history is kept, the
/// worker beats all the while. Before each stretch raw does as many plain jobs in a database where
/// no snapshot is open: what falls with raw is the machine, what falls alone is decay.
struct DecayFigure {
    let bench: BenchRun
    private static let lanes = 50

    private struct Run {
        var rates: [Double] = []
        var raw: [Double] = []
    }

    func measure() async throws {
        var runs: [Run] = []
        try await bench.rounds("decay") { number in
            runs.append(
                try await RawStretch.beside(bench) { raw in
                    try await bench.place.fresh { pool in
                        try await stretches(BenchQueue(pool), raw, run: number)
                    }
                })
        }
        let stretch = bench.scale.decayChunk
        try bench.report([
            FigureResult(
                "decay", unit: "last/first fifth", runs.map { Self.lastToFirst($0.rates) },
                raw: runs.filter { !$0.raw.isEmpty }.map { Self.lastToFirst($0.raw) },
                bar: .atLeast(0.9),
                details: [
                    "jobs": Double(stretch * bench.scale.decayChunks), "stretch": Double(stretch),
                ])
        ])
        let sweep = Sweep(
            name: "decay", axis: "jobs done under one open snapshot",
            points: (1...bench.scale.decayChunks).map { $0 * stretch })
        try bench.report(
            sweep.points.enumerated().map { index, point in
                sweep.result(
                    at: point, runs.map { $0.rates[index] },
                    raw: runs.filter { !$0.raw.isEmpty }.map { $0.raw[index] }, first: [])
            })
    }

    private static func lastToFirst(_ rates: [Double]) -> Double {
        let edge = max(1, rates.count / 5)
        return Statistics.median(Array(rates.suffix(edge)))
            / Statistics.median(Array(rates.prefix(edge)))
    }

    /// The first stretch, in which all is new, is left out.
    private func stretches(
        _ queue: BenchQueue, _ raw: RawStretch?, run: Int
    ) async throws -> Run {
        let count = bench.scale.decayChunks
        try await queue.prepare(keeps: true)
        return try await BenchCrew.with(bench.crew, in: bench.place, queue.pool) { _ in
            try await stretch(queue)
            _ = try await raw?.measure()
            return try await HeldSnapshot.during(queue.pool) {
                var all = Run()
                for number in 1...count {
                    if let rate = try await raw?.measure() { all.raw.append(rate) }
                    all.rates.append(try await stretch(queue))
                    bench.say(
                        "decay: run \(run) of \(bench.runs), \(Int(all.rates[number - 1])) "
                            + "jobs/s in stretch \(number) (\(count - number) left)")
                }
                return all
            }
        }
    }

    @discardableResult
    private func stretch(_ queue: BenchQueue) async throws -> Double {
        try await queue.pause()
        let ids = try await queue.fill(bench.scale.decayChunk, Self.job)
        return Double(ids.count) / (try await queue.drain(ids).seconds)
    }

    private static func job(_ number: Int) throws -> NewJob {
        switch number % 100 {
        case 0: return try NewJob(BenchRetry())
        case 1:
            var options = EnqueueOptions()
            options.lane = Lane("lane-\(number / 100 % lanes)", maxRunning: 10)
            return try NewJob(BenchNoop(), options: options)
        case 2..<12: return try NewJob(BenchNoop(), .superseding("key-\(UUID().uuidString)"))
        default: return try NewJob(BenchNoop())
        }
    }
}

/// The yardstick of a stretch, in a database of its own: a snapshot holds back only its own.
struct RawStretch: Sendable {
    let bench: BenchRun
    let pool: PostgresPool

    /// nil where there is no pgbench, or no second database to be had.
    static func beside<Result: Sendable>(
        _ bench: BenchRun, _ body: @Sendable (RawStretch?) async throws -> Result
    ) async throws -> Result {
        guard bench.yardstick.isThere, bench.place.isDatabase else { return try await body(nil) }
        return try await bench.place.beside { other in
            try await Yardstick.with(other) { yardstick in
                let there = BenchRun(bench, place: other, yardstick: yardstick)
                return try await other.fresh { try await body(RawStretch(bench: there, pool: $0)) }
            }
        }
    }

    /// - Returns: jobs a second.
    func measure() async throws -> Double? {
        let jobs = bench.scale.decayChunk
        _ = try await pool.execute(FillJobs(count: jobs))
        let rate = try await RawDrain(
            bench: bench, jobs: jobs, clients: bench.crew.connections
        ).measure(BenchQueue(pool), "claim_finish.sql")?.rate
        _ = try await pool.execute(EmptyJobs())
        return rate
    }
}
