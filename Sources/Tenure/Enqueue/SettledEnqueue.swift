import Logging
import TenurePostgres

/// An enqueue that finds out how it ended: its transaction's id is fetched before COMMIT, and a
/// connection lost during it is settled by `pg_xact_status` before anything is sent again.
struct SettledEnqueue {
    let pool: PostgresPool
    let logger: Logger
    var tries = 4
    var settlingDeadline: Duration = .seconds(30)

    func run(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
        for attempt in 1...tries {
            do {
                return try await once(jobs)
            } catch let error as PostgresError where error.isTransient && attempt < tries {
                // Nothing was committed: it is safe to send again.
                logger.debug("enqueue is tried again", metadata: ["error": "\(error)"])
                try await PostgresReactor.shared.sleep(for: .milliseconds(50 << attempt))
            }
        }
        return try await once(jobs)
    }

    private func once(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
        let answer = Lock<[EnqueuedJob]>([])
        do {
            try await pool.transaction(tracked: true) { transaction in
                let enqueued = try await transaction.execute(EnqueueJobs(jobs))
                answer.withLock { $0 = enqueued }
            }
        } catch let error as PostgresError where error.code == .unknownCommit {
            try await settle(error)
        }
        return answer.withLock { $0 }
    }

    /// Returns when the transaction has committed; throws a transient error when it has not.
    private func settle(_ error: PostgresError) async throws {
        guard let unknown = error.unknownCommit else { throw error }
        let status: PostgresCommitStatus
        do {
            status = try await pool.resolve(unknown, deadline: settlingDeadline)
        } catch {
            throw TenureError(
                .unknownEnqueue,
                "the connection broke during COMMIT and the database could not be asked since; "
                    + "the jobs may be enqueued: look for their ids before sending them again",
                cause: error)
        }
        switch status {
        case .committed: return
        case .aborted:
            throw PostgresError(
                .connectionLost, "the enqueue was rolled back: its connection broke")
        default:
            throw TenureError(
                .unknownEnqueue,
                "the connection broke during COMMIT and its outcome is still open; the jobs may "
                    + "be enqueued: look for their ids before sending them again",
                cause: error)
        }
    }
}
