public import Tenure
import TenureFoundation
import Web

/// Deletes items with all that is kept of them, unless somebody depends on them.
///
/// No new edge slips past: whoever writes one holds its target until the commit, and the deletion
/// looks for dependents once it holds all targets itself. Fetches of the items that are under way
/// are superseded by the same transaction: nothing is resurrected.
public struct ItemDeletion: Sendable {
    private let pool: PostgresPool
    private let client: TenureClient
    private let whom: String

    /// - Parameter whom: who deletes, for those who look later.
    public init(client: TenureClient, pool: PostgresPool, as whom: String) {
        self.client = client
        self.pool = pool
        self.whom = whom
    }

    /// What may be deleted.
    public enum Permit: Sendable {
        /// What no live item refers to.
        case safe
        /// Also what is only linked to: somebody has put a redirect in its place.
        case redirected
        /// Everything, whatever breaks.
        case all
    }

    public struct Result: Sendable {
        /// False: not one of them was deleted, because of what `impacts` says.
        public let isDone: Bool
        /// What was known to depend on each of them, in their order.
        public let impacts: [ItemImpact]
        /// Fetches and checks of theirs that were taken back.
        public let supersededJobs: Int
    }

    /// Deletes all of the items, or none.
    /// - Throws: `ContentError` with `.unknownItem` when one of them isn't there, `.busy` when
    ///   others keep at them for many seconds; nothing is deleted then.
    public func delete(
        _ items: [ItemName], permit: Permit = .safe, _ options: ImpactOptions = ImpactOptions()
    ) async throws -> Result {
        let options = try options.validated()
        let ids = try ItemName.ids(items).sorted { $0.uuidString < $1.uuidString }
        let wanted = try ItemName.ids(items)
        let urls = try await pool.execute(ListItemURLs(ids: ids))
        try Self.requireAll(wanted, items, urls)
        let jobs = try await jobs(of: urls.map(\.url))
        let impacts: [ItemImpact]
        do {
            impacts = try await patiently {
                try await run(wanted, permit, options, fetches: jobs.fetches)
            }
        } catch let refusal as Refusal {
            return Result(isDone: false, impacts: refusal.impacts, supersededJobs: 0)
        }
        let operation = Operator(client: client, as: whom)
        // The new ones only had to raise their keys' floors.
        for job in jobs.fetches.map(\.id) { try await operation.cancel(job) }
        var looks: [JobID] = []
        for (url, waiting) in jobs.looks where !waiting.isEmpty {
            // Whoever still refers to it wants to know.
            if try await pool.execute(DescribeTarget(url: url)).isEmpty { looks += waiting }
        }
        for job in looks { try await operation.cancel(job) }
        return Result(
            isDone: true, impacts: impacts,
            supersededJobs: jobs.fetches.count + looks.count)
    }

    private struct Refusal: Error { let impacts: [ItemImpact] }

    private static func requireAll(
        _ ids: [UUID], _ names: [ItemName], _ found: [ListItemURLs.Row]
    ) throws {
        let known = Set(found.map(\.id))
        guard let missing = ids.firstIndex(where: { !known.contains($0) }) else { return }
        let name = try names.first { try ItemName.ids([$0]) == [ids[missing]] }
        throw ContentError(
            .unknownItem, "there is no item \(name.map { "\($0)" } ?? ""); nothing was deleted")
    }

    // MARK: Jobs

    private struct Jobs {
        /// They take the place of fetches that wait or run, and fetch nothing.
        var fetches: [NewJob] = []
        /// At the item's URL, which others may refer to.
        var looks: [(url: String, waiting: [JobID])] = []
    }

    /// Of fetches that come later, each is somebody's who wants the item back.
    private func jobs(of urls: [String]) async throws -> Jobs {
        let inspector = Inspector(pool: pool)
        var jobs = Jobs()
        for url in urls {
            for mode in ContentFetch.Mode.allCases {
                let fetch = ContentFetch(deleted: url, mode: mode)
                let old = try await inspector.unfinished(of: ContentFetch.kind, keys: [fetch.key])
                for old in old.prefix(1) {
                    var options = EnqueueOptions()
                    options.queue = old.queue
                    jobs.fetches.append(
                        try NewJob(fetch, .superseding(fetch.key), options: options))
                }
            }
            let waiting = try await inspector.unfinished(
                of: .dependencyCheck, keys: TargetLook.all(at: url).map(\.key))
            jobs.looks.append((url, waiting.map(\.id)))
        }
        return jobs
    }

    // MARK: The transaction

    private func run(
        _ ids: [UUID], _ permit: Permit, _ options: ImpactOptions, fetches: [NewJob]
    ) async throws -> [ItemImpact] {
        try await pool.transaction(isolation: .readCommitted) { transaction in
            let urls = try await Self.lockItems(ids, in: transaction)
            try await Self.lockTargets(ids, urls, in: transaction)
            let impacts = try await Self.look(ids, options, in: transaction)
            guard impacts.allSatisfy({ permit.covers($0.verdict) }) else {
                throw Refusal(impacts: impacts)
            }
            // The redirects first: they are found by the targets that they lead to.
            let aliases = try await transaction.execute(ForgetRedirects(ids: ids))
            let edges = try await Self.forget(impacts, by: whom, in: transaction)
            var jobs = fetches
            if aliases.first ?? 0 > 0 || edges > 0 {
                let pause = ContentConfiguration().changePause
                jobs.append(try ChangeFollowUp.job(in: .default, after: pause))
            }
            try client.enqueue(jobs, in: transaction)
            let about = PayloadValue.array(urls.prefix(100).map { .text(URLRedaction.text($0)) })
            _ = try await transaction.execute(
                Doer(whom, from: client.source).action(
                    "delete", "item", ["urls": about, "items": .whole(Int64(urls.count))]))
            return impacts
        }
    }

    /// - Returns: the URLs of those that are there.
    static func lockItems(
        _ ids: [UUID], in transaction: PostgresTransaction
    ) async throws -> [String] {
        try await transaction.pipeline(WaitBriefly(), LockItemsToDelete(ids: ids)).1.map(\.url)
    }

    /// Where there is no target, one is made: what isn't there can't be locked.
    static func lockTargets(
        _ ids: [UUID], _ urls: [String], in transaction: PostgresTransaction
    ) async throws {
        _ = try await transaction.pipeline(
            StoreTargets(hrefs: urls), LockTargetsToDelete(ids: ids))
    }

    /// A statement of its own: it has to see what the locks were waiting for.
    static func look(
        _ ids: [UUID], _ options: ImpactOptions, in transaction: PostgresTransaction
    ) async throws -> [ItemImpact] {
        let (_, rows) = try await transaction.pipeline(
            PlanDependents(), FindDependents(ids: ids, options: options))
        return ItemImpact.group(rows, in: ids, places: options.places)
    }

    /// - Returns: how many edges were dropped with them, to be followed up.
    @discardableResult
    static func forget(
        _ impacts: [ItemImpact], by whom: String, in transaction: PostgresTransaction
    ) async throws -> Int {
        let ids = impacts.map(\.id)
        let (_, dropped, _, _) = try await transaction.pipeline(
            NoteDeletions(impacts: impacts, whom: whom), DeleteKept(ids: ids),
            DeleteFiles(ids: ids), DeleteItems(ids: ids))
        _ = try await transaction.execute(DeleteTargets(ids: ids))
        return dropped.first ?? 0
    }

    /// Lets go of what it holds where it would wait for long, and tries again: others' commits go
    /// first, and never wait for a circle to be found.
    private func patiently<Value>(_ body: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            do {
                return try await body()
            } catch let error as PostgresError
                where ["55P03", "40P01", "40001"].contains(error.sqlState ?? "")
            {
                guard ContinuousClock.now < end else {
                    throw ContentError(
                        .busy,
                        "others keep writing to these items or what refers to them; "
                            + "nothing was deleted, try again")
                }
                try await Task.sleep(for: .milliseconds(.random(in: 20...100)))
            }
        }
    }
}

extension ItemDeletion.Permit {
    func covers(_ verdict: ItemImpact.Verdict) -> Bool {
        switch self {
        case .safe: verdict == .safe
        case .redirected: verdict == .safe || verdict == .safeWithRedirect
        case .all: true
        }
    }
}

extension ItemName: CustomStringConvertible {
    /// Without secrets.
    public var description: String {
        switch self {
        case .url(let url): URLRedaction.text(url)
        case .id(let id): id.uuidString.lowercased()
        }
    }
}
