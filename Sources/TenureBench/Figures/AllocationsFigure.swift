import Tenure
import TenureCLI
import TenureFoundation

/// Heap allocations of a worker process per no-op job, start and end of the drain left out. They
/// are counted by a library that is loaded into the process (`Tests/Benchmarks/allocations`).
struct AllocationsFigure {
    let bench: BenchRun

    func measure() async throws {
        guard let library = bench.allocationCounter else {
            Terminal.error(
                "allocations: not counted; give --allocation-counter, as bin/bench does")
            return
        }
        let count = bench.scale.drainJobs
        var counted: [Double] = []
        var bytes: [Double] = []
        try await bench.rounds("allocations") { number in
            let file = "\(bench.yardstick.folder)/allocations-\(number)"
            let (calls, size) = try await bench.place.fresh { pool in
                let queue = BenchQueue(pool)
                try await queue.prepare(keeps: false)
                let warm = try await queue.fill(count / 10)
                var shape = bench.crew
                shape.environment = ["LD_PRELOAD": library, "TENURE_ALLOCATIONS": file]
                return try await BenchCrew.with(shape, in: bench.place, pool) { _ in
                    _ = try await queue.drain(warm)
                    try await queue.pause()
                    let ids = try await queue.fill(count)
                    let before = try Self.read(file)
                    _ = try await queue.drain(ids)
                    let after = try Self.read(file)
                    return (after.calls - before.calls, after.bytes - before.bytes)
                }
            }
            counted.append(Double(calls) / Double(count))
            bytes.append(Double(size) / Double(count))
        }
        let details = ["jobs": Double(count)]
        try bench.report([
            FigureResult("allocations", unit: "per job", counted, details: details),
            FigureResult("allocated-bytes", unit: "bytes/job", bytes, details: details),
        ])
    }

    private static func read(_ file: String) throws -> (calls: Int64, bytes: Int64) {
        let data = FileManager.default.contents(atPath: file) ?? Data()
        guard data.count >= 16 else {
            throw Failure("the allocation counter counted nothing: is it built for this system?")
        }
        return data.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: Int64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
            )
        }
    }
}
