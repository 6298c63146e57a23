import TenurePostgres

/// The enqueues of one open transaction: gathered, and run together just before COMMIT, so that
/// a subject is locked for a moment only and in one order.
package final class PendingEnqueues: Sendable {
    private let jobs = Lock<[NewJob]>([])

    func add(_ new: [NewJob]) { jobs.withLock { $0 += new } }

    /// Hands over what was gathered and starts anew.
    package func take() -> [NewJob] {
        jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
    }
}
