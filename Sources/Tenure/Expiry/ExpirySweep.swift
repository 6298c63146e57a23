package import TenurePostgres

/// Ends what expired and nobody claims, in short transactions that wait for nobody. Any number may
/// do so at a time: a job that another one has is passed over.
package struct ExpirySweep: Sendable {
    private let pool: PostgresPool
    private let notifier: Notifier

    package init(pool: PostgresPool, notifier: Notifier) {
        self.pool = pool
        self.notifier = notifier
    }

    /// - Returns: the jobs that it ended, and what came of the trees that had no other.
    package func run() async throws -> (jobs: [ExpiredJob], trees: [SettledRun]) {
        var all: (jobs: [ExpiredJob], trees: [SettledRun]) = ([], [])
        while true {
            let some = try await pool.execute(ExpireJobs())
            // A job may have been the last of its run. Apart: runs come first in the lock order.
            let runs = Set(some.compactMap(\.run))
            if !runs.isEmpty {
                let settled = try await pool.execute(SettleRuns(runs: Array(runs)))
                notifier.leave(settled.flatMap(\.wakeups))
                all.trees += settled
            }
            all.jobs += some
            if some.count < ExpireJobs.most { return all }
        }
    }
}
