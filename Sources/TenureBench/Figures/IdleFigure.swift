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
                    all.statements.append(try await statements(pool) / span)
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

    /// Counts the statements of the worker's connections by looking often at when each last began
    /// one: an idle worker's are far apart.
    private func statements(_ pool: PostgresPool) async throws -> Double {
        var last: [Int32: String] = [:]
        var count = 0
        let end = ContinuousClock.now + bench.scale.idleTime
        while ContinuousClock.now < end {
            for (process, began) in try await pool.execute(LastStatements()) {
                if let before = last[process], before != began { count += 1 }
                last[process] = began
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return Double(count)
    }
}

/// When the connections of the benchmark's workers began their last statements.
struct LastStatements: PostgresStatement {
    static let sql = """
        SELECT a.pid, a.query_start::text FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.application_name LIKE 'tenure_bench_worker%'
          AND a.query_start IS NOT NULL
        """

    static func decode(_ row: borrowing PostgresRow) throws -> (Int32, String) {
        (try row.decode(0), try row.decode(1))
    }
}
