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
            let isCommitted = try await isCommitted(error, jobs, answer.withLock({ $0 }))
            logger.warning(
                "an enqueue's answer was lost and its outcome found out",
                metadata: .init([.jobOutcome: isCommitted ? "committed" : "rolled back"]))
            guard isCommitted else {
                throw PostgresError(
                    .connectionLost, "the enqueue was rolled back: its connection broke")
            }
        }
        return answer.withLock { $0 }
    }

    /// - Throws: `TenureError` with `.unknownEnqueue`, and nothing that would be tried again.
    private func isCommitted(
        _ error: PostgresError, _ jobs: [NewJob], _ enqueued: [EnqueuedJob]
    ) async throws -> Bool {
        guard let unknown = error.unknownCommit else { throw Self.unknown("has no id", error) }
        do {
            switch try await pool.resolve(unknown, deadline: settlingDeadline) {
            case .committed: return true
            case .aborted: return false
            case .ambiguous, .tooOld: return try await isThere(enqueued, jobs)
            case .inProgress: throw Self.unknown("its outcome is still open", error)
            }
        } catch let asking as PostgresError {
            throw Self.unknown("the database could not be asked since", asking)
        }
    }

    /// The server crashed, and the id may be another transaction's: the rows tell.
    private func isThere(_ enqueued: [EnqueuedJob], _ jobs: [NewJob]) async throws -> Bool {
        // A job that was there before proves nothing; and where nothing was written, nothing was
        // lost.
        let enqueued = enqueued.filter { $0.result != .kept }
        if enqueued.isEmpty { return true }
        let queues = Array(Set(jobs.map(\.queue)))
        let answer = try await pool.execute(FindEnqueued(enqueued: enqueued, queues: queues))[0]
        if !answer.isThere, answer.mayHaveLeft {
            throw Self.unknown("its queue keeps no completed jobs that could tell", nil)
        }
        return answer.isThere
    }

    private static func unknown(_ why: String, _ cause: (any Error)?) -> TenureError {
        TenureError(
            .unknownEnqueue,
            "the connection broke during COMMIT and \(why); the jobs may be enqueued: look for "
                + "their ids before sending them again",
            cause: cause)
    }
}
