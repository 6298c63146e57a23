import Tenure
import TenureCLI
import TenureFoundation

/// What a worker costs that has nothing to do, while its LISTEN is healthy.
struct IdleFigure {
    let bench: BenchRun

    private struct Seen {
        var statements: [Double] = []
        var cpu: [Double] = []
        var memory: [Double] = []
    }

    func measure() async throws {
        var seen = Seen()
        let span = bench.scale.idleTime / .seconds(1)
        seen = try await bench.place.fresh { [seen] pool in
            try await BenchCrew.with(bench.crew, in: bench.place, pool) { crew in
                // It has worked before: what it keeps from then is kept.
                let queue = BenchQueue(pool)
                try await queue.prepare(keeps: false)
                _ = try await queue.drain(queue.fill(bench.scale.idleJobs))
                try await Task.sleep(for: bench.scale.idleRest)
                var all = seen
                try await bench.rounds("idle") { _ in
                    let before = crew.cpuSeconds
                    let counts = try await StatementCount(pool: pool)
                        .during(bench.scale.idleTime)
                    all.statements.append(Double(counts.values.reduce(0, +)) / span)
                    all.cpu.append((crew.cpuSeconds - before) / span * 100)
                    all.memory.append(ProcessUsage.residentMiB(crew.processes[0].id))
                }
                return all
            }
        }
        let details = ["seconds": span]
        try bench.report([
            FigureResult(
                "idle-statements", unit: "per s", seen.statements,
                bar: .atMost(0.334, "per s"), details: details),
            FigureResult(
                "idle-cpu", unit: "% of a core", seen.cpu, bar: .atMost(0.5, "%"),
                details: details),
            FigureResult(
                "idle-memory", unit: "MiB", seen.memory, bar: .atMost(60, "MiB"),
                details: details),
        ])
    }
}
