import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// What follows from an item's change, once it has come to rest: its new targets are checked,
/// checks that nobody needs any more are dropped, and the fragments that point at it are judged
/// anew.
///
/// Reads everything as it is then, so that it needs no account of the edits: ten of them make one.
struct ItemChange: Sendable {
    let parts: ContentParts
    let context: JobContext

    /// What `job show` says of it.
    struct Outcome: Codable, Sendable {
        var newTargets = 0
        var droppedChecks = 0
        /// In other items, of those that point at this one.
        var missingFragments = 0
    }

    /// Part of the commit that changes the item's edges or anchors.
    static func announce(
        _ url: String, _ parts: ContentParts, _ context: JobContext,
        in transaction: PostgresTransaction
    ) throws {
        let change = DependencyCheck(changed: url)
        let pause = parts.configuration.changePause
        var options = EnqueueOptions()
        options.queue = context.queue
        options.parent = context.jobID
        try context.client.enqueue(
            change, .debounced(change.key, interval: pause, maxWait: pause * 12), options: options,
            in: transaction)
    }

    func follow(_ job: DependencyCheck) async throws -> JobOutcome {
        let item = try WebURL.parse(job.url).withoutFragment.href
        var outcome = Outcome()
        outcome.droppedChecks = try await dropChecks(of: item)
        outcome.missingFragments =
            try await parts.pool.execute(CountMissingFragments(url: item)).first ?? 0
        let targets = try await targets(of: item)
        outcome.newTargets = targets.count
        try context.checkRight()
        return try await context.commit(try .completed(result: outcome)) { transaction in
            for target in targets {
                let look = DependencyCheck(target: target)
                try context.client.enqueue(
                    look, .keeping(look.key), options: options(for: target), in: transaction)
            }
        }
    }

    /// Those that nobody has looked at, of hosts that may be asked.
    private func targets(of item: String) async throws -> [String] {
        var answers: [String: Bool] = [:]
        var targets: [String] = []
        for href in try await parts.pool.execute(ListUncheckedTargets(url: item)) {
            let url = try WebURL.parse(href)
            if answers[url.origin] == nil { answers[url.origin] = try await mayAsk(url) }
            if answers[url.origin] == true { targets.append(href) }
        }
        return targets
    }

    /// Foreign hosts are only asked in somebody's name.
    private func mayAsk(_ url: WebURL) async throws -> Bool {
        if !(parts.configuration.contact ?? "").isEmpty { return true }
        if try await parts.pool.execute(ReadHost(url: url)).first?.isOwn ?? false { return true }
        let host = url.host ?? ""
        let literal = host == "localhost" ? "127.0.0.1" : host.trimmingBrackets
        guard let address = IPAddress(literal), address.kind != .global else { return false }
        return AddressPolicy(allowed: parts.configuration.allowedAddresses).permits(address)
    }

    /// Takes back checks that wait for targets that nobody refers to any more.
    /// - Parameter item: whose dropped edges are gone through; nil for everybody's.
    /// - Returns: how many were taken back.
    func dropChecks(of item: String?) async throws -> Int {
        var count = 0
        while true {
            let dropped = try await parts.pool.execute(ListDroppedEdges(url: item))
            let unneeded = dropped.filter(\.isUnneeded)
            count += try await cancelLooks(at: unneeded.map(\.href))
            // Whoever has come to refer to one of them meanwhile may have relied on what was there.
            let needed = try await parts.pool.execute(
                ListNeededTargets(ids: unneeded.map(\.target)))
            for href in needed { try await look(at: href) }
            if !dropped.isEmpty { _ = try await parts.pool.execute(ForgetDropped(edges: dropped)) }
            if dropped.count < ListDroppedEdges.most { return count }
        }
    }

    private func cancelLooks(at hrefs: [String]) async throws -> Int {
        let keys = hrefs.flatMap { DependencyCheck.looks(at: $0).map(\.key) }
        let operation = Operator(client: context.client, as: "nobody refers to it any more")
        var count = 0
        for job in try await Inspector(pool: parts.pool)
            .unfinished(of: DependencyCheck.kind, keys: keys) where !job.isRunning
        {
            try context.checkRight()
            if try await operation.cancel(job.id) == .cancelled { count += 1 }
        }
        return count
    }

    private func look(at href: String) async throws {
        let look = DependencyCheck(target: href)
        try await context.client.enqueue(look, .keeping(look.key), options: options(for: href))
    }

    private func options(for target: String) -> EnqueueOptions {
        var options = EnqueueOptions()
        options.queue = context.queue
        options.parent = context.jobID
        options.lane = parts.lane(of: target)
        return options
    }
}

extension String {
    fileprivate var trimmingBrackets: String { String(drop { $0 == "[" }.prefix { $0 != "]" }) }
}
