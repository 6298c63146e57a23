package import Tenure
package import TenureFoundation

/// What came of a look at ends.
package struct SettledEnds: Sendable {
    /// What there is to claim now.
    package var released: [QueueName: [JobID]] = [:]
    package var cancelled: [JobID] = []
    /// Somebody had a waiter locked: it is worth another look in a second.
    package var isToBeAskedAgain = false
    package var batches: Set<UUID> = []
    /// There is more to settle, in a transaction of its own: ask at once for whichever.
    package var hasMore = false

    package init(_ waiters: [SettledWaiter] = []) {
        for waiter in waiters {
            switch waiter {
            case .released(let job, let queue): released[queue, default: []].append(job)
            case .cancelled(let job, let batch):
                cancelled.append(job)
                if let batch { batches.insert(batch) }
            case .more: hasMore = true
            case .later: isToBeAskedAgain = true
            }
        }
    }
}

/// What became of a job that waited for others.
package enum SettledWaiter: Sendable {
    case released(JobID, queue: QueueName)
    /// One that it waited for was not completed.
    case cancelled(JobID, batch: UUID?)
    /// There is more to settle than one call does.
    case more
    /// Somebody has a waiter locked: to be tried again in a second.
    case later

    enum Word: String { case released, cancelled, more, later }
}
