import Tenure
import TenureCLI

/// Supersedes by eight producers: their rate, and what is left of it at the end.
struct SupersedeFigure {
    let bench: BenchRun

    private struct Case {
        let keys: Int
        let isHeld: Bool
        var rates: [Double] = []
        var raw: [Double] = []
        var lastToFirst: [Double] = []

        var name: String {
            "supersede-\(keys)-" + (keys == 1 ? "key" : "keys") + (isHeld ? "-held" : "")
        }
    }

    func measure() async throws {
        var cases = [1, 10_000].flatMap { keys in
            [false, true].map { Case(keys: keys, isHeld: $0) }
        }
        let details = [
            "jobs": Double(bench.scale.supersedes), "producers": Double(ProduceFigure.producers),
        ]
        for index in cases.indices {
            try await bench.rounds(cases[index].name) { _ in
                if let raw = try await raw(cases[index]) { cases[index].raw.append(raw) }
                let stretches = try await supersede(cases[index])
                let seconds = stretches.reduce(0, +)
                cases[index].rates.append(Double(bench.scale.supersedes) / seconds)
                cases[index].lastToFirst.append(stretches[0] / stretches[stretches.count - 1])
            }
            let one = cases[index]
            try bench.report([
                FigureResult(
                    one.name, unit: "jobs/s", one.rates, raw: one.raw, details: details),
                FigureResult(
                    "\(one.name)-end", unit: "last/first tenth", one.lastToFirst,
                    bar: .atLeast(0.9), details: details),
            ])
        }
    }

    /// - Returns: the seconds that each tenth took.
    private func supersede(_ one: Case) async throws -> [Double] {
        let producers = ProduceFigure.producers
        return try await bench.place.fresh(connections: producers + 1) { pool in
            let all = Producers(client: TenureClient(pool: pool), count: producers)
            try await all.run(2) { _ in try NewJob(BenchNoop()) }  // connected, prepared
            // Each has something to supersede, the first ones too.
            _ = try await BenchQueue(pool).fill(one.keys) {
                try NewJob(BenchNoop(), .superseding("key-\($0 + 1)"))
            }
            let each = max(1, bench.scale.supersedes / 10 / producers)
            return try await HeldSnapshot.during(pool, isHeld: one.isHeld) {
                var stretches: [Double] = []
                for _ in 0..<10 {
                    stretches.append(
                        try await all.run(each) { _ in
                            let key = Int.random(in: 1...one.keys)
                            return try NewJob(BenchNoop(), .superseding("key-\(key)"))
                        })
                }
                return stretches
            }
        }
    }

    /// Under a snapshot raw walks over its own dead: the more, the longer, and hours in the end.
    private func transactions(_ one: Case) -> Int {
        one.isHeld ? min(bench.scale.supersedes, 10_000) : bench.scale.supersedes
    }

    private func raw(_ one: Case) async throws -> Double? {
        guard bench.yardstick.isThere else { return nil }
        let producers = ProduceFigure.producers
        return try await bench.place.fresh { pool in
            try await bench.yardstick.create(pool)
            _ = try await pool.execute(FillRawKeys(count: one.keys))
            return try await HeldSnapshot.during(pool, isHeld: one.isHeld) {
                try await bench.yardstick.pgbench(
                    "supersede.sql", clients: producers,
                    transactions: max(1, transactions(one) / producers),
                    variables: ["keys": one.keys])
            }
        }
    }
}

/// An idle transaction with a snapshot: nothing that dies after it is cleaned up.
enum HeldSnapshot {
    static func during<Result: Sendable>(
        _ pool: PostgresPool, isHeld: Bool = true,
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard isHeld else { return try await body() }
        return try await pool.transaction(isolation: .repeatableRead) { transaction in
            _ = try await transaction.execute(TakeSnapshot())
            return try await body()
        }
    }
}

struct TakeSnapshot: PostgresStatement {
    static let sql = "SELECT count(*) FROM tenure.queue"
}

/// One job for each key, of the yardstick's.
struct FillRawKeys: PostgresStatement {
    static let sql = """
        WITH subject AS (
            INSERT INTO tenure.raw_subject (kind, key, issued, floor)
            SELECT 'bench-noop', 'key-' || k, 1, 1 FROM generate_series(1, $1) AS k
        )
        INSERT INTO tenure.raw_job (id, run_at, state, kind, queue, key, generation, payload)
        SELECT gen_random_uuid(), clock_timestamp(), 'available', 'bench-noop', 'bench',
               'key-' || k, 1, '{"url": "https://example.org/some/path", "depth": 1}'
        FROM generate_series(1, $1) AS k
        """
    let count: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int32(count))
    }
}
