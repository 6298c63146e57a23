import FoundationEssentials
import Tenure
import TenureWorker
import Web

/// Takes a visit into what is remembered of its target, over all runs.
struct TargetMemory: Sendable {
    let url: WebURL
    let context: JobContext
    let parts: ContentParts
    /// Who answers for the looks that follow; nil for the worker's own.
    var contact: String?
    /// Where they wait: a queue that outlives whoever asks.
    var queue: QueueName?

    /// What a visit leaves undecided is looked at again: that look is enqueued in the same commit,
    /// with the time that it is due.
    /// - Returns: how the target counts from now on.
    func take(
        _ visit: Visit, strict: Bool, in transaction: PostgresTransaction
    ) async throws -> TargetState {
        let found = try await transaction.execute(ReadTarget(href: url.href)).first
        guard let found else { return visit.state }
        var history = found.history
        let again = history.take(visit, strict: strict, now: found.now)
        // Against deletion, as whoever writes an edge holds its target.
        if let next = history.nextHref, next != found.history.nextHref {
            try await HoldTargets.hold([next], in: transaction)
        }
        _ = try await transaction.execute(
            UpdateTarget(
                href: url.href, before: found.history.state, history: history, visit: visit,
                now: found.now))
        try lookAgain(after: again, in: transaction)
        return history.state
    }

    /// The same for what was read of the target without a lock.
    struct Taken: Sendable {
        /// Nil: it takes more than that, and is done under the lock.
        fileprivate let place: Int?
        fileprivate let again: Duration?
    }

    func take(
        _ visit: Visit, into known: RecallTarget.Row, by batch: inout PostgresBatch
    ) throws -> Taken {
        var history = known.target.history
        let again = history.take(visit, strict: false, now: known.target.now)
        if let next = history.nextHref, next != known.target.history.nextHref {
            return Taken(place: nil, again: nil)
        }
        let update = UpdateTarget(
            href: url.href, before: known.target.history.state, history: history, visit: visit,
            now: known.target.now)
        let place = try batch.add(
            TakeVisit(id: Digest.id(of: url.href), update: update, version: known.version))
        return Taken(place: place, again: again)
    }

    /// Follows the batch. Where somebody else was faster, it is done over, under the lock.
    func settle(
        _ taken: Taken, _ visit: Visit, _ reply: borrowing PostgresReply,
        in transaction: PostgresTransaction
    ) async throws {
        if let place = taken.place, try !reply.rows(as: TakeVisit.self, of: place).isEmpty {
            try lookAgain(after: taken.again, in: transaction)
        } else {
            _ = try await take(visit, strict: false, in: transaction)
        }
    }

    private func lookAgain(
        after again: Duration?, in transaction: PostgresTransaction
    ) throws {
        if let again {
            var options = EnqueueOptions()
            options.runTime = .after(again)
            options.lane = parts.lane(of: url.href)
            options.queue = queue ?? context.queue
            let look = DependencyCheck(confirming: url.href, contact: contact)
            // The newest visit says when: what was away for a day may be missing for ten minutes.
            try context.client.enqueue(
                look, .coalescing(look.key), options: options, in: transaction)
        }
    }
}
