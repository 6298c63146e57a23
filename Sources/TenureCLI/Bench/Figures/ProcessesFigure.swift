import Tenure

/// Two and eight worker processes against one, in turn.
struct ProcessesFigure {
    let bench: BenchRun

    func measure() async throws -> [FigureResult] {
        let crews = [1, 2, 8]
        var rates = Dictionary(uniqueKeysWithValues: crews.map { ($0, [Double]()) })
        try await bench.rounds("processes") { _ in
            for count in crews { rates[count]?.append(try await drain(count)) }
        }
        return crews.dropFirst().map { count in
            FigureResult(
                "processes-\(count)", unit: "jobs/s", rates[count] ?? [],
                baseline: ("one process", rates[1] ?? []), bar: .atLeast(0.9, of: .baseline),
                details: ["jobs": Double(bench.scale.drainJobs)])
        }
    }

    private func drain(_ processes: Int) async throws -> Double {
        try await bench.place.fresh { pool in
            let queue = BenchQueue(pool)
            try await queue.prepare(keeps: false)
            let ids = try await queue.fill(bench.scale.drainJobs)
            try await queue.settle()
            var shape = bench.crew
            shape.processes = processes
            let drained = try await CrewDrain.run(shape, bench.place, queue, ids)
            return Double(ids.count) / drained.seconds
        }
    }
}
