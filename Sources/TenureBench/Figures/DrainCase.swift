import Tenure
import TenureCLI

/// Jobs that are enqueued while their queues are held, then drained: by raw, and by workers.
struct DrainCase: Sendable {
    let bench: BenchRun
    let jobs: Int
    var queues: [QueueName] = [BenchJobs.queue]
    var processes = 1
    /// Jobs of one bulk enqueue.
    var bulk = BenchRun.bulk
    var make: @Sendable (Int) throws -> NewJob = { _ in try NewJob(BenchNoop()) }

    /// Raw first, on a copy of the very rows, with as many connections as the workers have.
    func measure() async throws -> Sweep.Measured {
        try await bench.place.fresh { pool in
            let queue = BenchQueue(pool, queues)
            try await queue.prepare(keeps: false)
            let ids = try await queue.fill(jobs, bulk: bulk, make)
            var shape = bench.crew
            shape.processes = processes
            shape.queues = queues
            let raw = try await RawDrain(
                bench: bench, jobs: jobs, clients: shape.processes * shape.connections,
                queues: queues.count
            ).measure(queue, queues.count > 1 ? "claim_finish_queues.sql" : "claim_finish.sql")
            try await queue.settle()
            let drained = try await CrewDrain.run(shape, bench.place, queue, ids)
            return Sweep.Measured(value: Double(jobs) / drained.seconds, raw: raw?.rate)
        }
    }
}

/// The yardstick of a drain: a copy of the queue's rows, claimed and finished by pgbench.
struct RawDrain {
    let bench: BenchRun
    let jobs: Int
    let clients: Int
    var queues = 1

    var batch: Int { Self.batch(jobs: jobs, clients: clients, queues: queues) }

    /// As many at once as a worker claims at most, or the next fewer that come out even: a claim
    /// that finds less than it asks for would count as a whole one.
    static func batch(jobs: Int, clients: Int, queues: Int = 1) -> Int {
        let share = jobs / max(clients, queues)
        return (1...max(1, min(BenchRun.batch, share))).last { share % $0 == 0 } ?? 1
    }

    /// - Returns: jobs a second, and bytes of WAL per job.
    func measure(
        _ queue: BenchQueue, _ script: String
    ) async throws -> (rate: Double, wal: Double)? {
        guard bench.yardstick.isThere else { return nil }
        try await RawJobs.copy(bench.yardstick, queue.pool)
        try await queue.settle("tenure.raw_job")
        let before = try await queue.pool.execute(ReadWAL())[0]
        let rate = try await bench.yardstick.pgbench(
            script, clients: clients, transactions: jobs / batch / clients,
            variables: ["batch": batch, "clients": clients, "queues": queues, "turn": 0])
        let wal = try await queue.pool.execute(ReadWAL())[0] - before
        try await RawJobs.drop(queue.pool, mustBeEmpty: true)
        return rate.map { ($0 * Double(batch), Double(wal) / Double(jobs)) }
    }
}
