import Tenure

/// From the commit of a superseding enqueue, and from the call of a cancel, until the running
/// handler is cancelled.
struct VerdictFigure {
    let bench: BenchRun

    private enum Way: String, CaseIterable { case superseded, cancelled }

    func measure() async throws {
        for way in Way.allCases {
            var raw = Latencies()
            var verdicts = Latencies()
            try await bench.rounds(way.rawValue) { _ in
                raw.add(try await bench.rawDelays(way == .superseded ? .verdict : .cancel))
                let delays = try await bench.place.fresh { pool in
                    let queue = BenchQueue(pool)
                    return try await BenchCrew.with(bench.crew, in: bench.place, pool) { _ in
                        try await sample(way, queue)
                    }
                }
                verdicts.add(delays)
            }
            try bench.report(
                verdicts.results(
                    way.rawValue, raw: raw, bars: (2, 10), samples: bench.scale.latencySamples))
        }
    }

    private func sample(_ way: Way, _ queue: BenchQueue) async throws -> [Double] {
        var moments = Moments()
        for number in 0..<bench.scale.latencySamples {
            let job = try await queue.client.enqueue(
                BenchWait(number: number), .superseding("key-\(number)"))
            try await waitUntilRunning(job.id, queue)
            try await Task.sleep(for: .milliseconds(Int.random(in: bench.scale.latencyPause)))
            switch way {
            case .superseded:
                moments.start(number, job.id, at: try await supersede(number, queue))
            case .cancelled:
                // From the call, not from its return: the worker is told before it returns.
                let now = SharedClock.nanoseconds
                try await queue.operators.cancel(job.id)
                moments.start(number, job.id, at: now)
            }
            try await queue.waitUntilEnded([job.id.uuid])
        }
        // A busy machine may not have started a handler yet when its job is stopped.
        return try await moments.delays(queue, unseen: 0.05)
    }

    /// The newer job is due in a day: it must not be the wake-up that counts.
    private func supersede(_ number: Int, _ queue: BenchQueue) async throws -> Int64 {
        var options = EnqueueOptions()
        options.runTime = .after(.seconds(86_400))
        let committed = Lock<Int64>(0)
        try await queue.pool.transaction { [options] transaction in
            try transaction.addAfterCommit {
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
        let inspector = Inspector(pool: queue.pool)
        let limit = ContinuousClock.now + .seconds(60)
        while try await inspector.job(id)?.summary.status != JobStatus.running {
            guard ContinuousClock.now < limit else { throw Failure("a job did not start in 60 s") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
