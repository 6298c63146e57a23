public import Tenure
public import TenureFoundation
import Web

/// Checks a site: every page, and all they refer to, by jobs of a batch that any number of workers
/// share. The findings are the same however many they are, and whatever happens to them.
public struct SiteCheck: Sendable {
    let pool: PostgresPool
    private let client: TenureClient

    private var inspector: Inspector { Inspector(pool: pool) }

    public init(pool: PostgresPool, client: TenureClient) {
        self.pool = pool
        self.client = client
    }

    /// Starts a check of the site below a URL.
    /// - Parameter id: what the check is called.
    /// - Returns: the check's id: its jobs are enqueued.
    /// - Throws: `ContentError` with `.refusedURL`, `.noContact` or `.badOption`.
    public func start(
        url: String, _ options: SiteCheckOptions = SiteCheckOptions(), as id: JobID = JobID()
    ) async throws -> UUID {
        let start = try CheckableURL.parse(url)
        try await requirePermission(for: [start], options)
        return try await begin(at: start, pages: [GivenPage(url: start)], folder: nil, options, id)
    }

    /// Starts one check of all that is to be looked at, be it on one site or on many.
    /// - Parameter id: what the check is called.
    /// - Returns: the check's id: its jobs are enqueued.
    /// - Throws: `ContentError` with `.refusedURL`, `.noContact`, `.badFolder` or `.badOption`.
    public func start(
        _ inputs: CheckInputs, _ options: SiteCheckOptions = SiteCheckOptions(),
        as id: JobID = JobID()
    ) async throws -> UUID {
        let plan = try inputs.plan(options)
        try await requirePermission(for: plan.outside, options)
        var options = options
        options.reach = plan.reach
        let folder = inputs.served?.folder.path
        return try await begin(at: plan.start, pages: plan.pages, folder: folder, options, id)
    }

    /// That the sites may be asked: they are one's own, or somebody says who asks.
    /// - Throws: `ContentError` with `.refusedURL` or `.noContact`.
    func requirePermission(for pages: [WebURL], _ options: SiteCheckOptions) async throws {
        var seen: Set<String> = []
        let strange = try pages.filter { page in
            try seen.insert(page.origin).inserted
                && !CheckableURL.isOwn(page, allowed: options.allowedAddresses)
        }
        guard !strange.isEmpty, (options.contact ?? "").isEmpty else { return }
        // An operator may have named a host so.
        let own = try await Set(
            pool.execute(FindOwnHosts(hosts: Set(strange.compactMap(\.host)))))
        guard let other = strange.first(where: { !own.contains($0.host ?? "") }) else { return }
        throw ContentError(
            .noContact,
            "\(other.origin) is somebody's host: say who asks, with --contact URL-or-address")
    }

    /// Starts a check of a site that is watched, with the caller's transaction.
    func start(
        _ site: UUID, at start: WebURL, _ options: SiteCheckOptions, as id: UUID,
        in transaction: PostgresTransaction
    ) async throws {
        let check = try started(at: start, folder: nil, options, id)
        try await begin(check, pages: [GivenPage(url: start)], in: transaction)
        _ = try await transaction.execute(NoteSite(check: id, site: site))
    }

    /// Starts a check of a folder that is served at a URL: of all its documents, whether anything
    /// leads to them or not.
    /// - Parameters:
    ///   - url: of the folder, with a slash at its end.
    ///   - id: what the check is called.
    public func start(
        folder: SiteFolder, servedAt url: String, _ options: SiteCheckOptions = SiteCheckOptions(),
        as id: JobID = JobID()
    ) async throws -> UUID {
        var inputs = CheckInputs()
        (inputs.served, inputs.isSingle) = ((folder, url), true)
        inputs.named = [CheckInputs.Named(folder.path)]
        inputs.named[0].paths = try folder.pages()
        return try await start(inputs, options, as: id)
    }

    private func begin(
        at start: WebURL, pages: [GivenPage], folder: String?, _ options: SiteCheckOptions,
        _ id: JobID
    ) async throws -> UUID {
        let check = try started(at: start, folder: folder, options, id.uuid)
        try await pool.transaction(isolation: .readCommitted) { transaction in
            try await begin(check, pages: pages, in: transaction)
        }
        return check.id
    }

    private func started(
        at start: WebURL, folder: String?, _ options: SiteCheckOptions, _ id: UUID
    ) throws -> StartedCheck {
        StartedCheck(
            id: id, start: start, folder: folder, options: try options.validated(),
            startedAt: Date(), finishedAt: nil, cancelledAt: nil)
    }

    private func begin(
        _ check: StartedCheck, pages: [GivenPage], in transaction: PostgresTransaction
    ) async throws {
        let visits = pages.map { PlannedVisit(given: $0, of: check) }
        var enqueue = EnqueueOptions()
        enqueue.queue = check.options.queue
        enqueue.priority = check.options.priority
        let batch = NewBatch(
            id: check.id, [try NewJob(CheckBegin(check.id), options: enqueue)],
            whenEnded: try NewJob(CheckEnd(check.id), options: enqueue, id: Self.end(of: check.id)))
        _ = try await transaction.execute(StartCheck(check: check, visits: visits))
        try await client.start(batch, in: transaction)
    }

    /// The job that a check's end enqueues.
    private static func end(of check: UUID) -> JobID { JobID(check) }

    /// What a check has visited so far; nil for a batch that is no check.
    public func visits(_ check: UUID) async throws -> CheckProgress? {
        try await pool.execute(CountVisits(check: check)).first
    }

    /// Where a check stands.
    public func progress(_ check: UUID) async throws -> CheckProgress {
        guard var progress = try await pool.execute(CountVisits(check: check)).first else {
            throw ContentError(.unknownCheck, "there is no check \(check.uuidString.lowercased())")
        }
        if let jobs = try await inspector.liveProgress(ofBatch: check) { progress.take(jobs) }
        return progress
    }

    /// Waits until nothing of the check is left to do, and that is noted.
    /// - Parameter watch: called after each look.
    /// - Throws: `ContentError` with `.unfinishedCheck` when the job that notes it was given up.
    public func wait(
        _ check: UUID, every pause: Duration = .milliseconds(250),
        _ watch: @escaping @Sendable (CheckProgress) -> Void = { _ in }
    ) async throws -> CheckProgress {
        try await client.end(ofBatch: check, lookEvery: pause) { _ in
            watch(try await progress(check))
        }
        // The check's end has enqueued a job that writes it down.
        var looks = 0
        while try await pool.execute(ReadCheck(check: check)).first?.finishedAt == nil {
            try await Task.sleep(for: .milliseconds(5))
            looks += 1
            if looks.isMultiple(of: 200) { try await requireEnd(of: check) }
        }
        return try await progress(check)
    }

    /// That the job at its end has noted it, or still may.
    private func requireEnd(of check: UUID) async throws {
        let job = Self.end(of: check)
        guard let end = try await inspector.job(job), end.summary.status.isFinished,
            try await pool.execute(ReadCheck(check: check)).first?.finishedAt == nil
        else { return }
        throw ContentError(
            .unfinishedCheck,
            "the job at the check's end was \(end.summary.status.rawValue); see tenure job show "
                + "\(job), and repeat it with tenure job retry \(job)")
    }

    /// Stops a check with its whole batch; what it found stays.
    /// - Parameter reason: why, for the audit log.
    public func cancel(
        _ check: UUID, by whom: String, because reason: String? = nil
    ) async throws {
        _ = try await pool.execute(CancelCheck(check: check))
        let operation = Operator(client: client, as: whom, because: reason)
        try await operation.cancel(batch: check)
        // Whoever cancels may take the workers along: nobody waits for them to note it.
        _ = try await pool.execute(FinishCheck(check: check))
        try await operation.cancel(Self.end(of: check))
    }

    /// What the check found. The same, byte for byte, for the same site.
    public func report(_ check: UUID) async throws -> CheckReport {
        let started = try await started(check)
        let found = try await CheckFindings.find(started, in: pool)
        return try await report(
            started, Finding.group(found.rows, started),
            moved: MovedLink.group(found.moved, started))
    }

    func started(_ check: UUID) async throws -> StartedCheck {
        guard let found = try await pool.execute(ReadCheck(check: check)).first else {
            throw ContentError(.unknownCheck, "there is no check \(check.uuidString.lowercased())")
        }
        return found
    }

    /// With what counts of these findings, as the rules are now.
    /// - Parameter kept: the check's own; nil for those that it was started with.
    func report(
        _ check: StartedCheck, _ findings: [Finding], moved: [MovedLink] = [],
        by kept: [KeptIgnoreRule]? = nil
    ) async throws -> CheckReport {
        let progress = try await progress(check.id)
        let batch = try await inspector.progress(ofBatch: check.id)
        let rules = try await ListIgnoreRules.all(
            with: kept ?? check.options.rules.ignore, in: pool)
        let start = progress.pages > 0 ? [] : try await pool.execute(DescribeStart(check: check))
        return CheckReport(
            check, progress, batch, start: start.first, findings: findings, moved: moved
        ).ignoring(rules)
    }

    /// Whether something of a check is left to do. One whose batch has ended long ago, and whose
    /// end nobody noted, is over: the job that was to note it was given up.
    func goesOn(_ check: UUID) async throws -> Bool {
        guard try await pool.execute(ReadCheckState(check: check)).first == true,
            let jobs = try await inspector.liveProgress(ofBatch: check)
        else { return false }
        guard let end = jobs.endedAt else { return true }
        return Date().timeIntervalSince(end) < Self.longestEnd
    }

    /// In seconds: far more than the job at the end needs.
    private static let longestEnd = 3600.0
}
