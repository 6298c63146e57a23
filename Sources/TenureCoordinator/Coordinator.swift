public import Logging
public import ServiceLifecycle
public import Tenure
import TenurePostgres

/// A coordinator: fires schedules, ends expired jobs, pauses kinds that kill their processes, and
/// keeps the tables in shape. Any number may run, one leads.
///
/// The lead belongs to a session: it passes on when the leader's session has closed or was
/// declared dead. Nothing depends on there being exactly one: a schedule's tick moves on in the
/// transaction that enqueues. Workers need no coordinator to take over a dead worker's jobs.
public final class Coordinator: Service {
    private let pool: PostgresPool
    private let beats: PostgresPool
    private let configuration: CoordinatorConfiguration
    private let schedules: OwnedSchedules?
    private let lease: SessionLease
    private let keeper: SessionKeeper
    private let client: TenureClient
    private let logger: Logger
    private let time = ReactorTime(.shared)
    private let sessionOpened: Signal
    private let stopAsked: Signal
    private let relay: EventRelay
    private let runs = OneRun()
    /// The declared schedules were compared with those of the one that leads.
    private let hasCompared = Lock(false)
    private static let role = "coordinator"
    private static let minute: Duration = .seconds(60)

    /// - Parameters:
    ///   - owner: whose schedules it keeps: the program's name. Of all coordinators of that owner
    ///     one leads, and what its code declares counts: its schedules are added, changed as far as
    ///     they differ, and removed once it declares them no more. A schedule that is paused stays
    ///     paused, and one of another owner with the same name stays as it is. Nil: none are kept.
    ///   - schedules: all that it declares.
    /// - Throws: `TenureError` with `.invalidConfiguration`, also for schedules without an owner.
    public convenience init(
        pool: PostgresPool, owning owner: String? = nil, schedules: [Schedule] = [],
        configuration: CoordinatorConfiguration = CoordinatorConfiguration(),
        logger: Logger = Logger(label: "tenure.coordinator")
    ) throws {
        try self.init(
            pool: pool, owning: owner, schedules: schedules, configuration: configuration,
            logger: logger, watchingSession: { $0 })
    }

    /// A coordinator whose session somebody watches, by putting a store around its own.
    package init(
        pool: PostgresPool, owning owner: String?, schedules: [Schedule],
        configuration: CoordinatorConfiguration, logger: Logger,
        watchingSession: (any SessionStore) -> any SessionStore
    ) throws {
        let rule = try configuration.validated()
        guard owner != nil || schedules.isEmpty else {
            throw TenureError(
                .invalidConfiguration,
                "schedules need an owner; give the program's name: Coordinator(pool:, owning: "
                    + "\"app\", schedules: …)")
        }
        self.pool = pool
        self.configuration = configuration
        self.schedules = try owner.map { try OwnedSchedules(owner: $0, schedules) }
        self.logger = logger
        client = TenureClient(pool: pool, logger: logger)
        beats = PostgresPool(
            configuration: pool.configuration.forBeats(), size: 1, logger: logger)
        relay = EventRelay(to: LoggingObserver(logger: logger, name: configuration.name))
        let opened = Signal()
        sessionOpened = opened
        let stop = Signal()
        stopAsked = stop
        lease = SessionLease(rule, on: ReactorTime(.beats))
        keeper = SessionKeeper(
            store: watchingSession(
                PostgresSessionStore(
                    beats: beats, pool: pool, wakeUp: client.notifier.wakeUp)),
            profile: SessionProfile(
                role: Self.role, name: configuration.name, version: configuration.release,
                lease: rule),
            lease: lease,
            holder: SessionOnly(
                wakeUp: { opened.notify() },
                stop: { whom in
                    logger.info("asked to stop", metadata: ["reason": "by \(whom)"])
                    stop.notify()
                }), time: ReactorTime(.beats),
            observer: relay)
    }

    /// Whether its session's lease is held, by its own clock.
    public var isReady: Bool { lease.session != nil }

    /// Runs until a graceful shutdown, a cancellation, or an operator's request to stop; once. In a
    /// `ServiceGroup` give it `successTerminationBehavior: .gracefullyShutdownGroup`, for the last.
    /// - Throws: before it starts: `TenureError` with `.schemaMismatch`, or `PostgresError`. Later
    ///   a `PostgresError` with `.closed`, when its pool is closed under it. `TenureError` with
    ///   `.misuse` when it runs already or has ended: make a new coordinator.
    public func run() async throws {
        if let refusal = runs.begin() { throw TenureError.secondRun(of: "coordinator", refusal) }
        do {
            try await Migrator(pool: pool).requireCurrent()
        } catch {
            runs.didNotBegin()
            throw error
        }
        defer { runs.end() }
        let lostPool = await withTaskGroup(of: Void.self) { log in
            // The log outlives the work, and its cancellation, to the last line.
            log.addTask {
                await withoutCancellation(on: globalConcurrentExecutor) { await self.relay.run() }
            }
            let lostPool = await cancelWhenGracefulShutdown { await self.work() }
            relay.finish()
            return lostPool
        }
        await beats.close()
        if lostPool { throw PostgresPool.closedUnder("coordinator") }
    }

    /// Returns whether its pool was closed under it.
    private func work() async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask(executorPreference: PostgresReactor.beats.executor) {
                await self.keeper.run()
                return false
            }
            group.addTask {
                await self.sessionOpened.wait()
                await self.lead()
                return false
            }
            // Each of these ends with a cancellation only, or with the request to stop, or when
            // there is nothing left to lead with.
            group.addTask {
                await self.stopAsked.wait()
                return false
            }
            group.addTask {
                do { try await self.pool.closed() } catch { return false }
                return true
            }
            let lostPool = await group.next() ?? false
            group.cancelAll()
            return lostPool
        }
    }

    private func lead() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepTime() }
            group.addTask { await self.keepHouse() }
            await group.waitForAll()
        }
    }

    private func keepTime() async {
        var (term, declared): (Int64?, Int64?) = (nil, nil)
        var minute = time.now
        while !Task.isCancelled {
            var isLeading = false
            await attempt("the schedules that this program declares were not put in place") {
                declared = try await keepSchedules(since: declared)
            }
            await attempt("the lead was not looked at") {
                let now = try await takeLead()
                if let now, now != term { logger.info("leading", metadata: ["term": "\(now)"]) }
                term = now
                isLeading = now != nil
            }
            if isLeading {
                // What goes wrong with one keeps no other from its turn.
                await attempt("schedules were not looked at", fire)
                await attempt("expired jobs were not looked at", expire)
                await attempt("kinds that kill their processes were not looked for", tripBreakers)
                if time.now >= minute {
                    minute = time.now + Self.minute
                    await attempt("jobs that wait in lanes were not looked at", ageLanes)
                    await attempt("jobs that wait in queues were not looked at", ageQueues)
                    await attempt("the keys of ended jobs were not put into their index", indexKeys)
                }
            }
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await time.sleep(until: time.now + configuration.tick)
        }
    }

    /// - Parameter declared: the term in which they were put in place last; nil without one.
    /// - Returns: the same, now; nil where another coordinator of the owner leads.
    private func keepSchedules(since declared: Int64?) async throws -> Int64? {
        guard let schedules else { return nil }
        guard let term = try await takeLead(of: schedules.role) else {
            try await compare(schedules)
            return nil
        }
        if term != declared { try await schedules.putInPlace(pool, logger) }
        return term
    }

    /// Says once what this one declares otherwise than the one that leads: until that has ended it
    /// counts for nothing.
    private func compare(_ schedules: OwnedSchedules) async throws {
        // Without a session of its own it doesn't know who leads.
        guard lease.session != nil, !hasCompared.withLock({ $0 }) else { return }
        let differences = try await schedules.differences(pool)
        hasCompared.withLock { $0 = true }
        if differences.isEmpty { return }
        logger.warning(
            """
            another coordinator of this owner leads, and its schedules stand, not this one's: end \
            it, or give one of the two programs another owner
            """,
            metadata: [
                "schedule.owner": "\(schedules.owner)",
                "schedules": "\(differences.joined(separator: ", "))",
            ])
    }

    private func attempt(_ failure: Logger.Message, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            if Task.isCancelled { return }
            logger.warning(failure, metadata: ["error": "\(error)"])
        }
    }

    private func keepHouse() async {
        while !Task.isCancelled {
            var pause = configuration.tick
            do {
                if try await takeLead() != nil {
                    try await Housekeeping(pool: pool, configuration: configuration).run()
                    pause = configuration.housekeeping
                }
            } catch {
                if Task.isCancelled { return }
                // A partition that is in use just now is no news.
                let isBusy = (error as? PostgresError)?.sqlState == "55P03"
                logger.log(
                    level: isBusy ? .debug : .warning, "a part of the housekeeping was put off",
                    metadata: ["error": "\(error)"])
                pause = min(configuration.housekeeping, .seconds(60))
            }
            // Only a cancellation ends the sleep early; the loop's head sees it.
            try? await time.sleep(until: time.now + pause)
        }
    }

    private func takeLead(of role: String = Coordinator.role) async throws -> Int64? {
        guard let session = lease.session else { return nil }
        return try await pool.execute(Lead(role: role, session: session))[0]
    }

    private func expire() async throws {
        let expired = try await ExpirySweep(pool: pool, notifier: client.notifier).run()
        for job in expired.jobs {
            relay.observe(.expired(job.job, kind: job.kind, queue: job.queue))
        }
        for batch in expired.batches { relay.observe(batch) }
    }

    private func ageLanes() async throws {
        _ = try await pool.execute(AgeLanes(patience: configuration.lanePatience))
    }

    private func ageQueues() async throws { _ = try await pool.execute(AgeQueues()) }

    private func indexKeys() async throws { _ = try await pool.execute(IndexKeys()) }

    private func tripBreakers() async throws {
        guard let breaker = configuration.breaker else { return }
        for (kind, reason) in try await pool.execute(TripBreakers(breaker: breaker)) {
            relay.observe(.kindPaused(kind, reason: reason))
        }
    }

    private func fire() async throws {
        while true {
            let fired = try await pool.execute(FireSchedules())
            var queues: Set<String> = []
            for one in fired {
                switch one.tick {
                case .job(let job, let queue):
                    queues.insert(queue.rawValue)
                    logger.debug(
                        "schedule fired",
                        metadata: ["schedule": "\(one.schedule)", "job.id": "\(job)"])
                case .refused(let why):
                    logger.error(
                        "schedule can't fire; set it anew with: tenure schedule add --replace",
                        metadata: ["schedule": "\(one.schedule)", "error": "\(why)"])
                }
            }
            await client.notifier.send(
                queues.map { Wakeup(channel: Wakeup.available, payload: $0) })
            if fired.count < FireSchedules.most { return }
        }
    }
}
