import Tenure
import TenureCLI
import TenureFoundation

/// No-op jobs through one worker process; raw does them with as many connections, in batches as
/// large as the worker's largest.
struct DrainFigure {
    let bench: BenchRun
    let keeps: Bool

    private var name: String { keeps ? "history" : "drain" }

    private struct Runs {
        var rates: [Double] = []
        var raw: [Double] = []
        var rawKept: [Double] = []
        var wal: [Double] = []
        var rawWAL: [Double] = []
        var cpu: [Double] = []
        var commits: [Double] = []
    }

    func measure() async throws {
        var runs = Runs()
        try await bench.rounds(name) { _ in
            runs = try await bench.place.fresh { [runs] in try await round(runs, $0) }
        }
        let jobs = Double(bench.scale.drainJobs)
        let shape = bench.crew
        try bench.report([
            FigureResult(
                name, unit: "jobs/s", runs.rates, raw: runs.raw,
                baseline: keeps ? ("raw that keeps them too", runs.rawKept) : nil,
                bar: .atLeast(keeps ? 0.7 : 0.8, of: .raw),
                details: [
                    "jobs": jobs, "raw_batch": Double(raw.batch),
                    "connections": Double(shape.connections), "slots": Double(shape.slots),
                ]),
            FigureResult(
                "\(name)-wal", unit: "bytes/job", runs.wal,
                raw: runs.rawWAL, details: ["jobs": jobs]),
            FigureResult("\(name)-cpu", unit: "us/job", runs.cpu, details: ["jobs": jobs]),
            // Two of raw's are a batch: a claim, a finish.
            FigureResult(
                "\(name)-commits", unit: "per 1000 jobs", runs.commits,
                raw: bench.yardstick.isThere ? [2000 / Double(raw.batch)] : []),
        ])
    }

    private var raw: RawDrain {
        RawDrain(bench: bench, jobs: bench.scale.drainJobs, clients: bench.crew.connections)
    }

    private func round(_ before: Runs, _ pool: PostgresPool) async throws -> Runs {
        var runs = before
        let queue = BenchQueue(pool)
        let count = bench.scale.drainJobs
        try await queue.prepare(keeps: keeps)
        let ids = try await queue.fill(count)
        if let raw = try await raw.measure(queue, "claim_finish.sql") {
            runs.raw.append(raw.rate)
            runs.rawWAL.append(raw.wal)
        }
        if keeps, let raw = try await raw.measure(queue, "claim_finish_kept.sql") {
            runs.rawKept.append(raw.rate)
        }
        try await queue.settle()
        let drained = try await CrewDrain.run(bench.crew, bench.place, queue, ids)
        runs.rates.append(Double(count) / drained.seconds)
        runs.wal.append(Double(drained.wal) / Double(count))
        runs.cpu.append(drained.cpu * 1e6 / Double(count))
        runs.commits.append(Double(drained.commits) * 1000 / Double(count))
        return runs
    }
}

/// A drain by worker processes, with what it cost.
struct CrewDrain: Sendable {
    let seconds: Double
    let wal: Int64
    /// Of all processes, in seconds.
    let cpu: Double
    /// Those of the workers; where others use the database too, theirs as well.
    let commits: Int64

    static func run(
        _ shape: BenchCrew.Shape, _ place: BenchPlace, _ queue: BenchQueue, _ ids: [UUID]
    ) async throws -> CrewDrain {
        let commits = try await queue.pool.execute(CountCommits())[0]
        let (drained, cpu, wal) = try await BenchCrew.with(shape, in: place, queue.pool) { crew in
            let cpu = crew.cpuSeconds
            let wal = try await queue.pool.execute(ReadWAL())[0]
            let drained = try await queue.drain(ids)
            let written = try await queue.pool.execute(ReadWAL())[0] - wal
            return (drained, crew.cpuSeconds - cpu, written)
        }
        let all = try await queue.pool.execute(CountCommits())[0] - commits
        return CrewDrain(
            seconds: drained.seconds, wal: wal, cpu: cpu,
            commits: max(0, all - Int64(drained.looks)))
    }
}
