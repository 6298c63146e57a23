package import TenurePostgres

/// Ends what expired and nobody claims, in short transactions that wait for nobody. Any number may
/// do so at a time: a job that another one has is passed over.
package struct ExpirySweep: Sendable {
    private let pool: PostgresPool

    package init(pool: PostgresPool) { self.pool = pool }

    /// - Returns: the jobs that it ended.
    package func run() async throws -> [ExpiredJob] {
        var all: [ExpiredJob] = []
        while true {
            let some = try await pool.execute(ExpireJobs())
            // A job may have been the last of its run. Apart: runs come first in the lock order.
            let runs = Set(some.compactMap(\.run))
            if !runs.isEmpty { _ = try await pool.execute(SettleRuns(runs: Array(runs))) }
            all += some
            if some.count < ExpireJobs.most { return all }
        }
    }
}
