import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Takes visits into what is remembered of their targets, over all checks and fetches: the one that
/// writes it. What `TargetHistory` says is written, and enqueued, in the same commit.
struct TargetMemory: Sendable {
    let context: JobContext
    let parts: ContentParts
    /// Who answers for the looks that follow; nil for the worker's own.
    var contact: String?
    /// Where they wait: a queue that outlives whoever asks.
    var queue: QueueName?

    /// Locks the targets' rows, in the order of their ids.
    /// - Returns: how each of them counts from now on, by its URL.
    func take(
        _ visits: [(url: WebURL, visit: Visit)], strict: Bool, in transaction: PostgresTransaction
    ) async throws -> [String: TargetState] {
        if visits.isEmpty { return [:] }
        let ids = visits.map { Digest.id(of: $0.url.href) }
        let (_, rows) = try await transaction.pipeline(PlanByKeys(), ReadTargets(ids: ids))
        let known = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        var states: [String: TargetState] = [:]
        var news: [UpdateTargets.Entry] = []
        for (id, (url, visit)) in zip(ids, visits) {
            states[url.href] = visit.state
            guard let known = known[id] else { continue }
            let row = try await take(visit, of: url, into: known, strict: strict, in: transaction)
            states[url.href] = row.history.state
            news.append(row)
        }
        if !news.isEmpty { _ = try await transaction.execute(UpdateTargets(rows: news)) }
        return states
    }

    /// The same for one whose row is locked.
    /// - Returns: what is to be written of it.
    func take(
        _ visit: Visit, of url: WebURL, into known: ReadTargets.Row, strict: Bool = false,
        in transaction: PostgresTransaction
    ) async throws -> UpdateTargets.Entry {
        var history = known.history
        let again = history.take(visit, strict: strict, now: known.now)
        // Against deletion, as whoever writes an edge holds its target.
        if let next = history.nextHref, next != known.history.nextHref {
            try await HoldTargets.hold([next], in: transaction)
        }
        if let again { try lookAgain(at: url, after: again, in: transaction) }
        return UpdateTargets.Entry(known: known, history: history, visit: visit)
    }

    /// What a visit leaves undecided is looked at again.
    private func lookAgain(
        at url: WebURL, after pause: Duration, in transaction: PostgresTransaction
    ) throws {
        // Up to days from now: no check is to wait for it.
        var options = EnqueueOptions(leavesBatch: true)
        options.runTime = .after(pause)
        options.lane = parts.lane(of: url.href)
        options.queue = queue ?? context.queue
        options.priority = ContentPriority.following
        let look = TargetLook(confirming: url.href, contact: contact)
        // The newest visit says when: what was away for a day may be missing for ten minutes.
        try context.client.enqueue(look, .coalescing(look.key), options: options, in: transaction)
    }
}
