package import TenureFoundation

/// The batch of the handler whose commit a transaction is: what is enqueued in it belongs there.
package struct FollowUpBatch: Sendable {
    let id: UUID

    package init(_ id: UUID) { self.id = id }
}

extension [NewJob] {
    /// As they are, or as part of the batch: those that name none, and don't stay out of it.
    func joining(_ batch: FollowUpBatch?) -> [NewJob] {
        guard let batch else { return self }
        return map { job in
            job.options.batch == nil && !job.options.leavesBatch ? job.inBatch(batch.id) : job
        }
    }
}
