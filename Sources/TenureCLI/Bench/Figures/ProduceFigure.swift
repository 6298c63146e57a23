import Tenure

/// One enqueue in a transaction of its own, eight producers with a connection each.
struct ProduceFigure {
    let bench: BenchRun
    static let producers = 8

    func measure() async throws -> [FigureResult] {
        var raw: [Double] = []
        var rates: [Double] = []
        try await bench.rounds("produce") { _ in
            if let rate = try await insert() { raw.append(rate) }
            rates.append(try await enqueue())
        }
        return [
            FigureResult(
                "produce", unit: "jobs/s", rates, raw: raw, bar: .atLeast(0.85, of: .raw),
                details: [
                    "producers": Double(Self.producers),
                    "jobs": Double(Self.producers * bench.scale.singleEnqueues),
                ])
        ]
    }

    private func insert() async throws -> Double? {
        guard bench.yardstick.isThere else { return nil }
        return try await bench.place.fresh { pool in
            try await bench.yardstick.create(pool)
            return try await bench.yardstick.pgbench(
                "insert.sql", clients: Self.producers, transactions: bench.scale.singleEnqueues)
        }
    }

    private func enqueue() async throws -> Double {
        try await bench.place.fresh(connections: Self.producers) { pool in
            let producers = Producers(client: TenureClient(pool: pool), count: Self.producers)
            try await producers.run(5) { _ in try NewJob(BenchNoop()) }  // connected, prepared
            let each = bench.scale.singleEnqueues
            let seconds = try await producers.run(each) { _ in try NewJob(BenchNoop()) }
            return Double(each * Self.producers) / seconds
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
