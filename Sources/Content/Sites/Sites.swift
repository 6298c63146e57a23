// docs/decisions/sites.md

public import Tenure
public import TenureCoordinator
public import TenureFoundation
import Web

/// The sites that are watched. The leading coordinator enqueues a check when it is due, and a
/// worker runs it: nobody has to start anything.
public struct Sites: Sendable {
    private let pool: PostgresPool
    private let client: TenureClient
    private let whom: String

    /// What is done to a site's schedule is part of what is done to the site.
    private var schedules: Schedules { Schedules(pool: pool, as: whom).acting(from: nil) }

    private func action(_ verb: String, _ url: String) -> NoteAction {
        Doer(whom, from: client.source)
            .action(verb, "site", ["url": .text(URLRedaction.text(url))])
    }

    /// - Parameter whom: who adds and removes them, for those who look later.
    public init(client: TenureClient, pool: PostgresPool, as whom: String) {
        self.client = client
        self.pool = pool
        self.whom = whom
    }

    /// By URL.
    public func list() async throws -> [Site] {
        let schedules = try await schedules.list()
        let byName = Dictionary(schedules.map { ($0.name, $0) }) { first, _ in first }
        return try await pool.execute(ListSites()).map { site in
            var site = site
            site.schedule = byName[Site.schedule(of: site.id)]
            return site
        }
    }

    /// - Throws: `ContentError` with `.unknownSite`, or `.refusedURL` for a name that is no URL.
    public func site(_ name: SiteName) async throws -> Site {
        let id = try name.id()
        guard var site = try await pool.execute(ReadSite(id: id)).first else {
            throw Self.unknown(name)
        }
        site.schedule = try await schedules.status(of: Site.schedule(of: id))
        site.refetchProgress = try await pool.execute(ReadRefetch(site: id)).first
        return site
    }

    /// Watches a site from now on: it is checked for the first time within the hour, spread like
    /// all that follow.
    ///
    /// - Parameters:
    ///   - channels: by name: where its notices go.
    ///   - tellsChanges: whether pages whose links or headings are others are news, too.
    ///   - refetch: how its items are fetched again; nil for not at all.
    /// - Throws: `ContentError` with `.refusedURL`, `.noContact`, `.badOption`, `.unknownChannel`,
    ///   or `.alreadyThere`; `PostgresError` with SQLSTATE TN003 when the expression of `ticks` or
    ///   its zone is wrong.
    public func add(
        _ url: String, _ ticks: Ticks = .every(.seconds(86_400)),
        _ options: SiteCheckOptions = SiteCheckOptions(), channels: [String] = [],
        tellsChanges: Bool = false, refetch: SiteRefetch? = nil
    ) async throws -> Site {
        let (start, options) = (try CheckableURL.parse(url), try options.validated())
        try await SiteCheck(pool: pool, client: client).requirePermission(for: [start], options)
        let id = Digest.id(of: start.href)
        let spread = Site.spread(of: id, interval: try await interval(of: ticks))
        let site = AddSite(
            id: id, url: start, spread: spread, tellsChanges: tellsChanges, whom: whom,
            channels: channels, options: options, refetch: refetch)
        _ = try refetch?.bounds.validated()
        let schedule = try Self.schedule(site, ticks)
        try await pool.transaction(isolation: .readCommitted) { transaction in
            guard try await !transaction.execute(site).isEmpty else {
                throw ContentError(
                    .alreadyThere,
                    "\(URLRedaction.text(start.href)) is watched already; to change how, remove "
                        + "it first, and add it again")
            }
            try await Self.hold(channels, in: transaction)
            // A schedule of its name that somebody left there is replaced.
            _ = try await schedules.add(schedule, replacing: true, in: transaction)
            _ = try await transaction.execute(action("add", start.href))
        }
        return try await self.site(.id(id))
    }

    private static func schedule(_ site: AddSite, _ ticks: Ticks) throws -> Schedule {
        if case .every(let interval) = ticks, interval < shortest {
            throw ContentError(
                .badOption, "every is \(interval); give at least \(shortest)")
        }
        var options = EnqueueOptions()
        options.queue = site.options.queue
        options.runTime = .after(site.spread)
        let tick = SiteTick(site.id)
        return try Schedule(
            Site.schedule(of: site.id), ticks,
            NewJob(tick, .keeping(tick.key), options: options))
    }

    /// Checks a site in another way from its next check on: one that runs goes on as it began.
    ///
    /// - Parameter change: called with the options that it has.
    /// - Throws: `ContentError` with `.unknownSite`, `.noContact`, `.refusedURL` or `.badOption`,
    ///   and whatever `change` throws: then nothing is changed.
    public func change(
        _ name: SiteName, _ change: @escaping @Sendable (inout SiteCheckOptions) throws -> Void
    ) async throws -> Site {
        let id = try name.id()
        try await pool.transaction(isolation: .readCommitted) { transaction in
            _ = try await transaction.execute(LockSite(id: id))
            guard let site = try await transaction.execute(ReadSite(id: id)).first else {
                throw Self.unknown(name)
            }
            var options = try site.readOptions()
            try change(&options)
            let start = try CheckableURL.parse(site.url)
            try await SiteCheck(pool: pool, client: client)
                .requirePermission(for: [start], options)
            _ = try await transaction.execute(
                ChangeSite(id: id, options: try options.validated()))
            _ = try await transaction.execute(action("change", site.url))
        }
        return try await self.site(name)
    }

    private static let shortest: Duration = .seconds(1)

    /// The shortest of those that come next.
    private func interval(of ticks: Ticks) async throws -> Duration {
        if case .every(let interval) = ticks { return interval }
        let next: [Date]
        do {
            next = try await schedules.ticks(of: ticks, after: Date(), count: 5)
        } catch let error as PostgresError where error.sqlState == "22023" {
            throw ContentError(
                .badOption,
                "\(error.message); give a time zone's name such as Europe/Berlin or UTC")
        }
        let gaps = zip(next.dropFirst(), next).map { $0.timeIntervalSince($1) }
        return .clamped(seconds: gaps.min() ?? 0)
    }

    /// - Throws: `ContentError` with `.unknownChannel` for one that isn't there.
    private static func hold(
        _ channels: [String], in transaction: PostgresTransaction
    ) async throws {
        let known = Set(try await transaction.execute(HoldChannels(names: channels)))
        guard let missing = channels.first(where: { !known.contains($0) }) else { return }
        throw ContentError(
            .unknownChannel,
            "there is no channel \"\(missing.storable.prefix(200))\"; look with: tenure notify "
                + "list, or add it with: tenure notify add")
    }

    /// Starts a check now, whenever the next one is due.
    /// - Returns: the check's id.
    /// - Throws: `ContentError` with `.busy` while the last one still runs.
    public func check(_ name: SiteName) async throws -> UUID {
        let start = SiteStart(pool: pool, client: client)
        guard let prepared = try await start.prepare(name.id(), isAskedFor: true) else {
            throw Self.unknown(name)
        }
        let result = try await pool.transaction(isolation: .readCommitted) { transaction in
            try await start.begin(prepared, in: transaction)
        }
        switch result {
        case .begun(let check): return check
        case .skipped(let why): throw ContentError(.busy, why)
        }
    }

    /// No check and no refetch until it is resumed; a check that runs goes on.
    public func pause(_ name: SiteName) async throws {
        try await note(name, isPaused: true)
        guard try await schedules.pause(Site.schedule(of: name.id())) else {
            throw Self.unknown(name)
        }
        try await dropTick(of: name.id())
    }

    private func note(_ name: SiteName, isPaused: Bool) async throws {
        let note = NoteSitePause(site: try name.id(), isPaused: isPaused)
        try await pool.transaction(isolation: .readCommitted) { transaction in
            guard let url = try await transaction.execute(note).first else { return }
            _ = try await transaction.execute(action(isPaused ? "pause" : "resume", url))
        }
    }

    /// A tick waits for its share of the hour, or for a worker of its queue: nobody wants it now.
    private func dropTick(of site: UUID) async throws {
        var tick = JobFilter()
        (tick.kind, tick.key) = (SiteTick.kind, SiteTick(site).key)
        _ = try await Operator(client: client, as: whom).apply(.cancel, toAll: tick)
    }

    /// Goes on with the next tick from now: those missed are not made up for.
    /// - Returns: whether it was paused.
    public func resume(_ name: SiteName) async throws -> Bool {
        guard let was = try await schedules.resume(Site.schedule(of: name.id())) else {
            throw Self.unknown(name)
        }
        try await note(name, isPaused: false)
        return was
    }

    /// Watches a site no longer. A check that runs is cancelled; what was found and kept stays.
    /// - Returns: the ids of the items that belong to it, for whoever wants them deleted.
    public func remove(_ name: SiteName) async throws -> [UUID] {
        let site = try await site(name)
        let removed = try await pool.transaction(isolation: .readCommitted) { transaction in
            let removed = try await transaction.execute(RemoveSite(id: site.id))
            _ = try await transaction.execute(ForgetBroken(site: site.id))
            _ = try await transaction.execute(ForgetSitemaps(site: site.id))
            _ = try await transaction.execute(ReopenSites(url: site.url))
            _ = try await schedules.remove(Site.schedule(of: site.id), in: transaction)
            _ = try await transaction.execute(action("remove", site.url))
            return removed
        }
        try await dropTick(of: site.id)
        let check = SiteCheck(pool: pool, client: client)
        if let last = removed.first ?? nil, try await check.goesOn(last) {
            try await check.cancel(last, by: whom)
        }
        guard let start = Self.readable(site.url) else { return [] }
        let scope = Scope(start: start)
        return try await pool.execute(ListSiteItems(prefix: scope.insidePrefix))
    }

    /// What is no URL has no items.
    private static func readable(_ url: String) -> WebURL? {
        do { return try CheckableURL.parse(url) } catch { return nil }
    }

    private static func unknown(_ name: SiteName) -> ContentError {
        let text =
            switch name {
            case .url(let url): URLRedaction.text(url.storable)
            case .id(let id): id.uuidString.lowercased()
            }
        return ContentError(
            .unknownSite, "\(text) is not watched; look with: tenure site list")
    }
}
