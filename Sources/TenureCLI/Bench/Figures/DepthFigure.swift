import FoundationEssentials
import Tenure

/// What a claim of ten jobs takes with many jobs waiting, to what it takes with few. All that is
/// read has been read before.
struct DepthFigure {
    let bench: BenchRun

    func measure() async throws -> [FigureResult] {
        var shallow: [Double] = []
        var deep: [Double] = []
        try await bench.rounds("depth, few") { _ in
            shallow.append(try await bench.place.fresh { try await measure(1, of: $0, few) }[0])
        }
        // Filled once: ten million jobs take minutes to make.
        bench.say("depth: \(many) jobs are made")
        deep = try await bench.place.fresh { try await measure(bench.runs, of: $0, many) }
        return [
            FigureResult(
                "depth", unit: "ms", deep, baseline: ("\(few) waiting", shallow),
                bar: .atMost(1.2, of: .baseline),
                details: ["waiting": Double(many), "claims": Double(bench.scale.claims)])
        ]
    }

    private var few: Int { bench.scale.shallowJobs }
    private var many: Int { bench.scale.deepJobs }

    /// - Returns: the median of each run, in ms.
    private func measure(_ runs: Int, of pool: PostgresPool, _ jobs: Int) async throws -> [Double] {
        let queue = BenchQueue(pool)
        try await queue.fill(jobs)
        try await queue.settle()
        _ = try await pool.execute(WarmJobs())
        let session = try await pool.execute(OpenBenchSession())[0]
        return try await pool.withConnection { connection in
            var medians: [Double] = []
            for _ in 0..<runs {
                medians.append(try await claims(session, connection))
            }
            return medians
        }
    }

    private func claims(_ session: Int64, _ connection: PostgresConnection) async throws -> Double {
        var times: [Double] = []
        for number in 0..<bench.scale.claims + 20 {
            var claimed: [BenchClaim.Taken] = []
            let seconds = try await BenchRun.seconds {
                claimed = try await connection.execute(BenchClaim(session: session))
            }
            guard claimed.count == BenchClaim.most else {
                throw Failure("a claim took \(claimed.count) jobs instead of \(BenchClaim.most)")
            }
            _ = try await connection.execute(BenchComplete(claimed: claimed))
            if number >= 20 { times.append(seconds * 1000) }  // the plans are made, the pages read
        }
        return Statistics.median(times)
    }
}

/// Reads all of it once, so that none of it has to come from the disk later.
struct WarmJobs: PostgresStatement {
    static let sql = "SELECT count(j.*) FROM tenure.job j"
}

struct OpenBenchSession: PostgresStatement {
    static let sql = """
        SELECT tenure.open_session(
            'worker', 'bench', '0', '1 day', ARRAY['bench'], ARRAY['bench-noop'])
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

/// A claim from the head of the queue.
struct BenchClaim: PostgresStatement {
    static let most = 10
    static let sql = """
        SELECT c.id, c.fence FROM tenure.claim($1, 'bench', ARRAY['bench-noop'], 10) AS c
        """
    let session: Int64

    struct Taken: Sendable {
        let id: UUID
        let fence: Int64
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(session) }

    static func decode(_ row: borrowing PostgresRow) throws -> Taken {
        Taken(id: try row.decode(0), fence: try row.decode(1))
    }
}

struct BenchComplete: PostgresStatement {
    static let sql = "SELECT count(*) FROM tenure.complete_runs($1, $2)"
    let claimed: [BenchClaim.Taken]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(claimed.map(\.id))
        try parameters.append(claimed.map(\.fence))
    }
}
