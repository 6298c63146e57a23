package import Tenure
package import TenureFoundation

/// What came of a look at ends.
package struct SettledEnds: Sendable {
    /// Which have something to claim now.
    package var queues: Set<QueueName> = []
    package var cancelled: [JobID] = []
    /// Somebody had a waiter locked: it is worth another look in a second.
    package var isToBeAskedAgain = false
    package var batches: Set<UUID> = []

    package init() {}

    mutating func add(_ waiters: [SettledWaiter]) -> Bool {
        var isFull = false
        for waiter in waiters {
            switch waiter {
            case .released(_, let queue): queues.insert(queue)
            case .cancelled(let job, let batch):
                cancelled.append(job)
                if let batch { batches.insert(batch) }
            case .more: isFull = true
            case .later: isToBeAskedAgain = true
            }
        }
        return isFull
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
