import Tenure

/// What follows from the changes of items that a queue's jobs have made.
struct ChangeFollowUp: DependencyJob {
    var scope = DependencyScope.changed
    let queue: String

    init(in queue: QueueName) { self.queue = queue.rawValue }

    var key: String { JobKey.make(scope.rawValue, queue) }

    /// One for all changes until it runs; the first one says when.
    static func job(in queue: QueueName, after pause: Duration) throws -> NewJob {
        let followUp = ChangeFollowUp(in: queue)
        // Of all that has changed: no batch's own, which would have to wait for it.
        let options = EnqueueOptions(queue: queue, leavesBatch: true)
        return try NewJob(
            followUp, .debounced(followUp.key, interval: pause, maxWait: pause), options: options)
    }
}
