import Tenure
import TenureCLI
import TenureFoundation

/// What a claim of ten jobs takes with few and with many jobs waiting. All that is read has been
/// read before. Raw claims from the same table, by a plain statement, in turn with it.
struct DepthFigure {
    let bench: BenchRun

    func measure() async throws {
        let points = bench.scale.waiting
        let claims = Double(bench.scale.claims)
        let sweep = Sweep(
            name: "depth", axis: "jobs waiting", unit: "ms", points: points,
            baseline: "\(points[0]) waiting",
            bars: [points[points.count - 1]: .atMost(1.2, of: .baseline)],
            details: { _ in ["claims_per_run": claims] })
        // One table that grows: ten million jobs take minutes to make.
        try await bench.place.fresh { pool in
            var waiting = 0
            var first: [Double] = []
            for point in points {
                var values: [Double] = []
                var raw: [Double] = []
                try await bench.rounds("depth-\(point)") { _ in
                    try await fill(pool, from: waiting, to: point)
                    let (ours, plain) = try await run(pool)
                    values.append(ours)
                    raw.append(plain)
                    waiting = point - claimedInABatch
                }
                if point == points[0] { first = values }
                try bench.report([sweep.result(at: point, values, raw: raw, first: first)])
            }
        }
    }

    private static let warmUp = 20
    private static let chunk = 100_000

    /// By both sides.
    private var claimedInABatch: Int { 2 * (bench.scale.claims + Self.warmUp) * BenchClaim.most }

    /// On the server: as an enqueue writes them, and many times as fast.
    private func fill(_ pool: PostgresPool, from: Int, to: Int) async throws {
        for start in stride(from: from, to: to, by: Self.chunk) {
            if to - from > Self.chunk {
                bench.say("depth-\(to): \(start) of \(to) jobs are made")
            }
            _ = try await pool.execute(FillJobs(count: min(Self.chunk, to - start)))
        }
        try await BenchQueue(pool).settle()
        _ = try await pool.execute(WarmJobs())
    }

    /// - Returns: the medians, in ms.
    private func run(_ pool: PostgresPool) async throws -> (ours: Double, raw: Double) {
        let session = try await pool.execute(OpenBenchSession())[0]
        return try await pool.withConnection { try await claims(session, $0) }
    }

    private func claims(
        _ session: Int64, _ connection: PostgresConnection
    ) async throws -> (ours: Double, raw: Double) {
        var ours: [Double] = []
        var raw: [Double] = []
        for number in 0..<bench.scale.claims + Self.warmUp {
            let plain = try await timed {
                try await connection.execute(PlainClaim(session: session))
            }
            _ = try await connection.execute(PlainFinish(ids: plain.taken.map(\.id)))
            let claim = try await timed {
                try await connection.execute(BenchClaim(session: session))
            }
            _ = try await connection.execute(BenchComplete(claimed: claim.taken))
            if number >= Self.warmUp {  // the plans are made, the pages read
                raw.append(plain.milliseconds)
                ours.append(claim.milliseconds)
            }
        }
        return (Statistics.median(ours), Statistics.median(raw))
    }

    private func timed(
        _ claim: () async throws -> [BenchClaim.Taken]
    ) async throws -> (milliseconds: Double, taken: [BenchClaim.Taken]) {
        var taken: [BenchClaim.Taken] = []
        let seconds = try await BenchRun.seconds { taken = try await claim() }
        guard taken.count == BenchClaim.most else {
            throw Failure("a claim took \(taken.count) jobs instead of \(BenchClaim.most)")
        }
        return (seconds * 1000, taken)
    }
}
