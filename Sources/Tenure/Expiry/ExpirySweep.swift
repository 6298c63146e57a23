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

    /// - Returns: the jobs that it ended, and what came of the batches that had no other.
    package func run() async throws -> (jobs: [ExpiredJob], batches: [SettledBatch]) {
        var all: (jobs: [ExpiredJob], batches: [SettledBatch]) = ([], [])
        while true {
            let some = try await pool.execute(ExpireJobs())
            // A job may have been the last of its batch. Apart: batches come first in the lock
            // order.
            let batches = Set(some.compactMap(\.batch))
            if !batches.isEmpty {
                let settled = try await pool.execute(SettleBatches(batches: Array(batches)))
                notifier.leave(settled.flatMap(\.wakeups))
                all.batches += settled
            }
            all.jobs += some
            if some.count < ExpireJobs.most { return all }
        }
    }
}
