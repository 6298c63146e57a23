import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Missing once is not gone: somebody looks again when a day has gone by.
struct MissingItemLook: Sendable {
    private let look: ContentFetch
    private let parts: ContentParts
    private let context: JobContext

    init(at url: WebURL, after job: ContentFetch, parts: ContentParts, context: JobContext) {
        look = job.lookForMissing(at: url.href)
        self.parts = parts
        self.context = context
    }

    /// - Parameter now: when the URL was asked that is still missing.
    func enqueue(
        missingSince: Date, now: Date, in transaction: PostgresTransaction
    ) throws {
        let age = now.timeIntervalSince(missingSince)
        // A day from now: no batch is to wait for it.
        var options = EnqueueOptions(leavesBatch: true)
        options.runTime = .after(.clamped(seconds: max(Sightings.day - age, 0)))
        options.lane = parts.lane(of: look.url)
        options.queue = context.queue
        options.priority = ContentPriority.following
        try context.client.enqueue(look, .coalescing(look.key), options: options, in: transaction)
    }
}
