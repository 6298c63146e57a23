import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// What follows from the changes of a queue's items, once they have come to rest: their new targets
/// are checked, checks that nobody needs any more are dropped, and the fragments that point at them
/// are judged anew.
///
/// Reads everything as it is then, so that it needs no account of the edits: ten of them make one.
///
/// One job does it for all changes of a queue. The notes of them are its outbox: it takes those
/// that have come to rest, and goes on in another job while one is left.
struct ItemChange: Sendable {
    let parts: ContentParts
    let context: JobContext

    /// What `job show` says of it.
    struct Outcome: Codable, Sendable {
        var items = 0
        var newTargets = 0
        var droppedChecks = 0
        /// In other items, of those that point at these ones.
        var missingFragments = 0
    }

    /// How many pauses an item is waited for that doesn't come to rest.
    static let patience = 12

    func follow() async throws -> JobOutcome {
        let pause = parts.configuration.changePause
        let changes = try await parts.pool.execute(
            ListChanges(queue: context.queue, pause: pause))
        let items = changes.map(\.item)
        var outcome = Outcome()
        outcome.items = items.count
        var targets: [String] = []
        var missing: [ListMissingIn.Row] = []
        // Deletions leave some, too, and no item that has changed.
        outcome.droppedChecks = try await dropChecks(of: items)
        if !items.isEmpty {
            missing = try await parts.pool.execute(ListMissingIn(items: items))
            outcome.missingFragments = missing.reduce(0) { $0 + $1.places }
            targets = try await self.targets(of: items)
            outcome.newTargets = targets.count
        }
        try context.checkRight()
        return try await context.commit(try .completed(result: outcome)) {
            [targets, missing] transaction in
            for target in targets {
                let look = TargetLook(target)
                try context.client.enqueue(
                    look, .keeping(look.key), options: options(for: target), in: transaction)
            }
            let fragments = missing.map(\.fragment)
            let (_, _, _, next) = try await transaction.pipeline(
                RememberMissing(fragments: fragments),
                RememberFoundIn(items: items, missing: fragments),
                ForgetChanges(queue: context.queue, changes: changes),
                FindNextChange(queue: context.queue, pause: pause))
            if let due = next.first {
                // Many at a time, unless there are many already.
                let wait = changes.count < ListChanges.most ? max(due, pause / 4) : due
                let job = try ChangeFollowUp.job(in: context.queue, after: min(wait, pause))
                try context.client.enqueue([job], in: transaction)
            }
        }
    }

    /// Those that nobody has looked at, of hosts that may be asked.
    private func targets(of items: [UUID]) async throws -> [String] {
        try await askable(try await parts.pool.execute(ListUncheckedTargets(items: items)))
    }

    private func askable(_ hrefs: [String]) async throws -> [String] {
        var answers: [String: Bool] = [:]
        var targets: [String] = []
        for href in hrefs {
            let url = try WebURL.parse(href)
            if answers[url.origin] == nil { answers[url.origin] = try await mayAsk(url) }
            if answers[url.origin] == true { targets.append(href) }
        }
        return targets
    }

    /// Foreign hosts are only asked in somebody's name.
    private func mayAsk(_ url: WebURL) async throws -> Bool {
        if !(parts.configuration.contact ?? "").isEmpty { return true }
        if try await parts.pool.execute(ReadHosts(url: url)).first?.isOwn ?? false { return true }
        return CheckableURL.isAtOwnAddress(
            url, AddressPolicy(allowed: parts.configuration.allowedAddresses))
    }

    /// Takes back checks that wait for targets that nobody refers to any more.
    /// - Parameter items: whose dropped edges are gone through, and those of deleted ones; nil for
    ///   everybody's.
    /// - Returns: how many were taken back.
    func dropChecks(of items: [UUID]?) async throws -> Int {
        var count = 0
        while true {
            let dropped = try await parts.pool.execute(ListDroppedEdges(items: items))
            let unneeded = dropped.filter(\.isUnneeded)
            count += try await cancelLooks(at: unneeded.map(\.href))
            // Whoever has come to refer to one of them meanwhile may have relied on what was there.
            let doubtful = unneeded + dropped.filter(\.isForgotten)
            let needed = try await parts.pool.execute(
                ListNeededTargets(ids: doubtful.map(\.target)))
            for href in try await askable(needed) { try await look(at: href) }
            if !dropped.isEmpty { _ = try await parts.pool.execute(ForgetDropped(edges: dropped)) }
            if dropped.count < ListDroppedEdges.most { return count }
        }
    }

    private func cancelLooks(at hrefs: [String]) async throws -> Int {
        let keys = hrefs.flatMap { TargetLook.all(at: $0).map(\.key) }
        let operation = Operator(client: context.client, as: "nobody refers to it any more")
        var count = 0
        for job in try await Inspector(pool: parts.pool)
            .unfinished(of: .dependencyCheck, keys: keys) where !job.isRunning
        {
            try context.checkRight()
            if try await operation.cancel(job.id) == .cancelled { count += 1 }
        }
        return count
    }

    private func look(at href: String) async throws {
        let look = TargetLook(href)
        try await context.client.enqueue(look, .keeping(look.key), options: options(for: href))
    }

    private func options(for target: String) -> EnqueueOptions {
        var options = EnqueueOptions(leavesBatch: true)
        options.queue = context.queue
        options.parent = context.jobID
        options.lane = parts.lane(of: target)
        options.priority = ContentPriority.following
        return options
    }
}
