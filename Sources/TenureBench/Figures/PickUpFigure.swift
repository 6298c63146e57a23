import Tenure
import TenureCLI

/// Commit of an enqueue to the start of its handler, in an idle worker.
struct PickUpFigure {
    let bench: BenchRun

    func measure() async throws {
        var raw = Latencies()
        var pickUps = Latencies()
        try await bench.rounds("pick-up") { _ in
            raw.add(try await bench.rawDelays(.claim))
            let delays = try await bench.place.fresh { pool in
                let queue = BenchQueue(pool)
                return try await BenchCrew.with(bench.crew, in: bench.place, pool) { _ in
                    try await sample(queue)
                }
            }
            pickUps.add(delays)
        }
        try bench.report(
            pickUps.results("pick-up", raw: raw, bars: (1, 5), samples: bench.scale.latencySamples))
    }

    private func sample(_ queue: BenchQueue) async throws -> [Double] {
        var moments = Moments()
        for number in 0..<bench.scale.latencySamples {
            let committed = Lock<Int64>(0)
            let job = try await queue.pool.transaction { transaction in
                // Before the client's own hook, which sends the wake-up.
                try transaction.addAfterCommit {
                    let now = SharedClock.nanoseconds
                    committed.withLock { $0 = now }
                }
                return try queue.client.enqueue(BenchMark(number: number), in: transaction).id
            }
            moments.start(number, job, at: committed.withLock { $0 })
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
        }
        return try await moments.delays(queue)
    }
}
