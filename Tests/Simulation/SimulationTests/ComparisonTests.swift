import Logging
import Simulation
import Tenure
import TenurePostgres
import TestSupport
import Testing

/// The store in memory against the real functions: what the simulation believes of PostgreSQL.
struct ComparisonTests {
    private static let steps = 300

    @Test("the store in memory answers and keeps as PostgreSQL does", arguments: 1...12)
    func theStoresAgree(seed: UInt64) async throws {
        var logger = Logger(label: "comparison")
        logger.logLevel = .critical
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), size: 3, logger: logger)
        let steps = Step.sequence(seed: seed, count: Self.steps)
        let pair = Pair(pool: pool)
        do {
            try await pair.run(steps)
            #expect(pair.refused > 0 && pair.passed > 0)
        } catch let difference as Pair.Difference {
            let (short, what) = try await shorten(steps, difference, pool)
            Issue.record("seed \(seed): \(what)\nsteps: \(short)")
        }
        await pool.close()
    }

    /// Takes out what isn't needed for a difference, in ever smaller pieces.
    private func shorten(
        _ steps: [Step], _ difference: Pair.Difference, _ pool: PostgresPool
    ) async throws -> ([Step], Pair.Difference) {
        var short = steps
        var found = difference
        var piece = steps.count / 2
        var triesLeft = 60
        while piece > 0, triesLeft > 0 {
            var start = 0
            while start < short.count, triesLeft > 0 {
                triesLeft -= 1
                var fewer = short
                fewer.removeSubrange(start..<min(start + piece, short.count))
                do {
                    try await Pair(pool: pool).run(fewer)
                    start += piece
                } catch let difference as Pair.Difference {
                    short = fewer
                    found = difference
                }
            }
            piece /= 2
        }
        return (short, found)
    }
}
