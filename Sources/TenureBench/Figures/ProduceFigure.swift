import Tenure
import TenureCLI

/// One enqueue in a transaction of its own, by producers with a connection each.
struct ProduceFigure {
    let bench: BenchRun
    var producers = ProduceFigure.producers
    /// Transactions of each.
    let each: Int

    static let producers = 8

    func measure() async throws {
        var raw: [Double] = []
        var rates: [Double] = []
        try await bench.rounds("produce") { _ in
            if let rate = try await insert() { raw.append(rate) }
            rates.append(try await enqueue())
        }
        try bench.report([
            FigureResult(
                "produce", unit: "jobs/s", rates, raw: raw, bar: .atLeast(0.85, of: .raw),
                details: ["producers": Double(producers), "jobs": Double(producers * each)])
        ])
    }

    /// Raw's rate.
    func insert() async throws -> Double? {
        guard bench.yardstick.isThere else { return nil }
        return try await bench.place.fresh { pool in
            try await bench.yardstick.create(pool)
            return try await bench.yardstick.pgbench(
                "insert.sql", clients: producers, transactions: each)
        }
    }

    func enqueue() async throws -> Double {
        try await bench.place.fresh(connections: producers) { pool in
            let all = Producers(client: TenureClient(pool: pool), count: producers)
            try await all.run(5) { _ in try NewJob(BenchNoop()) }  // connected, prepared
            let seconds = try await all.run(each) { _ in try NewJob(BenchNoop()) }
            return Double(each * producers) / seconds
        }
    }
}

/// Producers that enqueue one job at a time, as fast as they can.
struct Producers: Sendable {
    let client: TenureClient
    let count: Int

    /// - Parameter each: how many jobs of each producer.
    /// - Returns: seconds.
    @discardableResult
    func run(_ each: Int, _ make: @escaping @Sendable (Int) throws -> NewJob) async throws -> Double
    {
        try await BenchRun.seconds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for producer in 0..<count {
                    group.addTask {
                        for number in 0..<each {
                            try await client.enqueue([make(producer * each + number)])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
