import Tenure
import TenureCLI

/// The questions of scale that a drain answers: how the rate of workers goes with one thing, all
/// else being as in the figure `drain`.
struct ScaleFigures {
    let bench: BenchRun

    private var jobs: Int { bench.scale.sweepJobs }

    /// One, two, … worker processes on one queue.
    func processes() async throws {
        let jobs = jobs
        let sweep = Sweep(
            name: "processes", axis: "worker processes", points: bench.scale.processes,
            baseline: "one process",
            bars: [2: .atLeast(0.9, of: .baseline), 8: .atLeast(0.9, of: .baseline)],
            details: { ["jobs": Double(jobs), "connections": Double(2 * $0)] })
        try await sweep.measure(bench) { processes in
            try await DrainCase(bench: bench, jobs: jobs, processes: processes).measure()
        }
    }

    /// One worker process that serves many queues, with as many slots for each of them.
    func queues() async throws {
        let jobs = jobs
        let sweep = Sweep(
            name: "queues", axis: "queues", points: bench.scale.queues, baseline: "one queue",
            details: { ["jobs": Double(jobs), "jobs_per_queue": Double(jobs / $0)] })
        try await sweep.measure(bench) { count in
            let names = BenchJobs.queues(count)
            return try await DrainCase(bench: bench, jobs: jobs, queues: names) { number in
                var options = EnqueueOptions()
                options.queue = names[number % count]
                return try NewJob(BenchNoop(), options: options)
            }.measure()
        }
    }

    /// Payloads that don't compress.
    func payload() async throws {
        let scale = bench.scale
        let sweep = Sweep(
            name: "payload", axis: "bytes of payload", points: scale.payloads,
            details: { ["jobs": Double(scale.jobs(ofBytes: $0))] })
        let text = RandomText()
        try await sweep.measure(bench) { bytes in
            let bulk = min(BenchRun.bulk, max(1, 4_194_304 / bytes))
            return try await DrainCase(bench: bench, jobs: scale.jobs(ofBytes: bytes), bulk: bulk) {
                _ in try NewJob(BenchPayload(bytes: bytes, of: text))
            }.measure()
        }
    }

    /// Some of the jobs have a key of their own, superseding.
    func keyed() async throws {
        let jobs = jobs
        let sweep = Sweep(
            name: "keyed", axis: "% of the jobs keyed", points: bench.scale.keyedShares,
            details: { ["jobs": Double(jobs), "keys": Double(jobs * $0 / 100)] })
        try await sweep.measure(bench) { share in
            try await DrainCase(bench: bench, jobs: jobs) { number in
                number % 100 < share
                    ? try NewJob(BenchNoop(), .superseding("key-\(number)"))
                    : try NewJob(BenchNoop())
            }.measure()
        }
    }

    /// One enqueue in a transaction of its own, by one, two, … producers.
    func producers() async throws {
        let scale = bench.scale
        let sweep = Sweep(
            name: "producers", axis: "producers", points: scale.producers,
            baseline: "one producer", details: { _ in ["jobs": Double(scale.sweepEnqueues)] })
        try await sweep.measure(bench) { count in
            let figure = ProduceFigure(
                bench: bench, producers: count, each: scale.sweepEnqueues / count)
            let raw = try await figure.insert()
            return Sweep.Measured(value: try await figure.enqueue(), raw: raw)
        }
    }
}
