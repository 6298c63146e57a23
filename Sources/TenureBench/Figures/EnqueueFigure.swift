import Tenure
import TenureCLI
import TenureFoundation

/// Bulk enqueue on one connection, a transaction for each thousand jobs; raw copies the rows that
/// an enqueue made, a thousand to a COPY.
struct EnqueueFigure {
    let bench: BenchRun

    func measure() async throws {
        let count = bench.scale.enqueueJobs
        let parts = try await exportRows(count)
        var raw: [Double] = []
        var unkeyed: [Double] = []
        var keyed: [Double] = []
        try await bench.rounds("enqueue") { _ in
            if let seconds = try await copyRows(parts) { raw.append(Double(count) / seconds) }
            unkeyed.append(try await enqueue(count) { _ in try NewJob(BenchNoop()) })
            keyed.append(
                try await enqueue(count) { number in
                    try NewJob(BenchNoop(), .superseding("key-\(number)"))
                })
        }
        let details = ["jobs": Double(count), "batch": Double(BenchRun.bulk), "connections": 1]
        try bench.report([
            FigureResult(
                "enqueue", unit: "jobs/s", unkeyed, raw: raw, bar: .atLeast(0.5, of: .raw),
                details: details),
            FigureResult(
                "enqueue-keyed", unit: "jobs/s", keyed, raw: raw, bar: .atLeast(0.2, of: .raw),
                details: details),
        ])
    }

    private func enqueue(
        _ count: Int, _ make: @Sendable (Int) throws -> NewJob
    ) async throws -> Double {
        try await bench.place.fresh(connections: 1) { pool in
            let queue = BenchQueue(pool)
            try await queue.fill(BenchRun.bulk) { try make(-1 - $0) }  // warm
            try await queue.settle()
            let seconds = try await BenchRun.seconds { try await queue.fill(count, make) }
            return Double(count) / seconds
        }
    }

    /// Writes the rows of an enqueue to files, for COPY to read.
    /// - Returns: how many files.
    private func exportRows(_ count: Int) async throws -> Int {
        guard bench.yardstick.isThere else { return 0 }
        let file = "\(bench.yardstick.folder)/rows"
        try await bench.place.fresh { pool in
            try await BenchQueue(pool).fill(count)
            let script = #"\copy (\#(OrderedJobs.sql)) TO '\#(file)'"#
            _ = try await bench.yardstick.psql(bench.place.configuration.qualified(script))
        }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        var parts = 0
        for start in stride(from: 0, to: lines.count, by: BenchRun.bulk) {
            let part = lines[start..<min(start + BenchRun.bulk, lines.count)]
            try bench.yardstick.write(
                part.joined(separator: "\n") + "\n", to: "rows-\(parts)")
            parts += 1
        }
        return parts
    }

    /// - Returns: seconds, on the server's clock, without the time to connect.
    private func copyRows(_ parts: Int) async throws -> Double? {
        guard parts > 0 else { return nil }
        return try await bench.place.fresh { pool in
            try await bench.yardstick.create(pool)
            try await BenchQueue(pool).settle("tenure.raw_job")
            let copies = (0..<parts).map { part in
                #"\copy tenure.raw_job FROM '\#(bench.yardstick.folder)/rows-\#(part)'"#
            }
            let script = ([ServerSeconds.sql + ";"] + copies + [ServerSeconds.sql + ";"])
                .joined(separator: "\n")
            let output = try await bench.yardstick.psql(bench.place.configuration.qualified(script))
            let times = (output ?? "").split(separator: "\n").compactMap { Double($0) }
            guard let first = times.first, let last = times.last, last > first else {
                throw Failure("psql said nothing of the time")
            }
            return last - first
        }
    }
}

/// The jobs as they were enqueued.
struct OrderedJobs: PostgresStatement {
    static let sql = "SELECT * FROM tenure.job ORDER BY run_at, id"
}

/// The server's clock.
struct ServerSeconds: PostgresStatement {
    static let sql = "SELECT extract(epoch FROM clock_timestamp())"
}
