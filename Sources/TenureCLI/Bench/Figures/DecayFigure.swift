import FoundationEssentials
import Tenure

/// A long run under one open snapshot, in stretches that are enqueued while the queue is paused and
/// then drained: a tenth keyed, a hundredth in lanes, a hundredth fails once.
struct DecayFigure {
    let bench: BenchRun
    private static let lanes = 50

    func measure() async throws -> [FigureResult] {
        var ratios: [Double] = []
        var starts: [Double] = []
        var ends: [Double] = []
        try await bench.rounds("decay") { number in
            let rates = try await bench.place.fresh { pool in
                try await stretches(BenchQueue(pool), run: number)
            }
            let edge = max(1, rates.count / 5)
            starts.append(Statistics.median(Array(rates.prefix(edge))))
            ends.append(Statistics.median(Array(rates.suffix(edge))))
            ratios.append(ends[ends.count - 1] / starts[starts.count - 1])
        }
        let jobs = bench.scale.decayChunk * bench.scale.decayChunks
        let details = [
            "jobs": Double(jobs), "stretch": Double(bench.scale.decayChunk),
            "start_jobs_per_s": Statistics.median(starts),
            "end_jobs_per_s": Statistics.median(ends),
        ]
        return [
            FigureResult(
                "decay", unit: "last/first fifth", ratios, bar: .atLeast(0.9), details: details)
        ]
    }

    /// - Returns: jobs a second of each stretch; the first, in which all is new, is left out.
    private func stretches(_ queue: BenchQueue, run: Int) async throws -> [Double] {
        try await queue.prepare(keeps: false)
        return try await BenchCrew.with(bench.crew, in: bench.place, queue.pool) { _ in
            try await stretch(queue)
            return try await HeldSnapshot.during(queue.pool) {
                var rates: [Double] = []
                for number in 1...bench.scale.decayChunks {
                    rates.append(try await stretch(queue))
                    bench.say(
                        "decay: run \(run), stretch \(number) of \(bench.scale.decayChunks): "
                            + "\(Int(rates[number - 1])) jobs/s")
                }
                return rates
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
