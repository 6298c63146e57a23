import TenurePostgres

/// What a session's keeper tells the one who runs jobs under it. Called on the beat's thread:
/// none of these may wait.
package protocol SessionHolder: Sendable {
    /// The runs to ask verdicts for, and the fence from which unknown runs are wanted.
    func runsToRenew() -> (runs: [RunRef], unknownSince: Fence)
    /// What the runs have reported since it was asked last.
    func progressToTell() -> [ProgressNews]
    /// The beat that was to carry it has failed, or may have.
    func progressUntold(_ news: [ProgressNews])
    func verdicts(_ verdicts: [(run: RunRef, verdict: Verdict)])
    /// The answer to `unknownSince`: runs that the database has in the session's name and that
    /// were not in `runsToRenew`. Not called for a beat that did not ask.
    func unknownRuns(_ runs: [RunRef])
    /// Jobs of dead sessions are available again in these queues.
    func reclaimed(in queues: Set<QueueName>)
    /// The database's clock goes on from before: what falls due next may come before what was
    /// claimed last. Called again until the step was followed.
    func clockWasSetBack(by back: Duration)
    /// A new session is open and holds a lease.
    func sessionOpened(_ session: SessionID)
    /// The lease has run out on our own clock. Attempts must be cancelled now.
    func leaseExpired(_ session: SessionID)
    /// The session was declared dead: nothing it runs can commit any more.
    func sessionOver(_ session: SessionID)
    /// An operator asks the process to end in good order. Called with every beat from then on.
    func stopAsked(by whom: String)
}

/// Keeps one session alive: opens it, beats, counts the lease on its own clock, watches the
/// others' beats, and has the jobs of the dead reclaimed. When the session is declared dead it
/// opens a new one; a dead session never comes back.
///
/// `run()` belongs on a reactor of its own (`executorPreference`), so that handlers can neither
/// starve the beat nor outlive the lease.
package final class SessionKeeper: Sendable {
    private let store: any SessionStore
    private let profile: SessionProfile
    private let holder: any SessionHolder
    private let time: any Timekeeper
    private let executor: (any TaskExecutor)?
    private let observer: any EventObserver
    private let lease: SessionLease
    private let leaseChanged = Signal()
    private let reclaimNow = Signal()
    private let silent = Lock<[(session: SessionID, beat: Int64)]>([])
    private let clock = Lock(ClockWatch<ContinuousClock.Instant>())
    private let clockStep = Lock<ClockWatch<ContinuousClock.Instant>.Step?>(nil)

    /// - Parameters:
    ///   - lease: of the profile's rule, and on the same time.
    ///   - executor: where `run()` runs, for the last words of a cancelled one.
    package init(
        store: any SessionStore, profile: SessionProfile, lease: SessionLease,
        holder: any SessionHolder, time: any Timekeeper, executor: (any TaskExecutor)? = nil,
        observer: any EventObserver
    ) {
        self.store = store
        self.profile = profile
        self.lease = lease
        self.holder = holder
        self.time = time
        self.executor = executor
        self.observer = observer
    }

    /// Runs until it is cancelled, then closes the session.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.beat() }
            group.addTask { await self.watchDeadline() }
            group.addTask { await self.reclaim() }
            await group.waitForAll()
        }
        await withoutCancellation(on: executor) { await self.close() }
        lease.clock.withLock { $0.ended() }
    }

    // MARK: Beating

    private func beat() async {
        let rule = profile.lease
        var peers = PeerWatch<ContinuousClock.Instant>(
            longestGap: rule.beatInterval * 2 + rule.beatDeadline)
        while !Task.isCancelled {
            guard let session = lease.clock.withLock({ $0.session }) else {
                await open()
                continue
            }
            let sent = time.now
            let hurry = await sendBeat(session, sent: sent, peers: &peers)
            let soon = sent.advanced(by: rule.beatInterval / 20)
            let next = sent.advanced(by: rule.beatInterval)
            // A peer's silence is judged when it is long enough, not a beat later.
            let verdict = peers.nextDecision.map { max($0, soon) } ?? next
            await lease.beatNow.wait(until: hurry ? soon : min(next, verdict), on: time)
        }
    }

    private func open() async {
        let sent = time.now
        do {
            let session = try await store.open(profile)
            lease.clock.withLock { $0.opened(session, sent: sent) }
            leaseChanged.notify()
            holder.sessionOpened(session)
            observer.observe(.sessionOpened(session))
        } catch {
            if Task.isCancelled { return }
            observer.observe(.databaseAway(during: "opening a session", error))
            await lease.beatNow.wait(
                until: time.now.advanced(by: profile.lease.beatInterval / 5), on: time)
        }
    }

    /// One beat. Returns whether the next one should follow at once.
    private func sendBeat(
        _ session: SessionID, sent: ContinuousClock.Instant,
        peers: inout PeerWatch<ContinuousClock.Instant>
    ) async -> Bool {
        let (runs, unknownSince) = holder.runsToRenew()
        let news = holder.progressToTell()
        let lines: [BeatLine]
        do {
            lines = try await store.beat(
                session, runs: runs, unknownSince: unknownSince, news: news,
                deadline: profile.lease.beatDeadline)
        } catch {
            if !Task.isCancelled { observer.observe(.databaseAway(during: "a beat", error)) }
            if !news.isEmpty { holder.progressUntold(news) }
            return true
        }
        let answer = BeatAnswer(lines, asked: runs)
        guard answer.isRenewed else {
            end(session)
            return true
        }
        let isRegained = lease.clock.withLock { $0.renewed(session, sent: sent) }
        leaseChanged.notify()
        if isRegained { holder.sessionOpened(session) }
        observer.observe(.leaseRenewed(session, after: sent.duration(to: time.now)))
        if !answer.verdicts.isEmpty { holder.verdicts(answer.verdicts) }
        if unknownSince.rawValue != .max { holder.unknownRuns(answer.unknown) }
        if let whom = answer.stopBy { holder.stopAsked(by: whom) }
        let now = time.now
        let dead = peers.see(answer.peers, at: now)
        let step = answer.clock.flatMap { reading in
            clock.withLock {
                $0.see(
                    .init(
                        sent: sent, arrived: now, microseconds: reading.microseconds,
                        steps: reading.steps))
            }
        }
        if let step { holder.clockWasSetBack(by: step.back) }
        let toFollow = step.flatMap { $0.isFollowed ? nil : $0 }
        if let toFollow { clockStep.withLock { $0 = toFollow } }
        if !dead.isEmpty || answer.hasDead || toFollow != nil {
            silent.withLock { $0 = dead }
            reclaimNow.notify()
        }
        return false
    }

    private func end(_ session: SessionID) {
        lease.clock.withLock { $0.ended() }
        holder.sessionOver(session)
        observer.observe(.sessionLost(session))
    }

    // MARK: The local deadline

    private func watchDeadline() async {
        while !Task.isCancelled {
            guard let deadline = lease.clock.withLock({ $0.cancelTime }) else {
                await leaseChanged.wait()
                continue
            }
            await leaseChanged.wait(until: deadline, on: time)
            let now = time.now
            let expired = lease.clock.withLock { $0.expires(at: now) ? $0.session : nil }
            if let expired {
                holder.leaseExpired(expired)
                observer.observe(.leaseExpired(expired))
            }
        }
    }

    // MARK: The others

    private func reclaim() async {
        while true {
            await reclaimNow.wait()
            if Task.isCancelled { return }
            // What goes wrong with one keeps no other from its turn.
            await attempt("following the database's clock", followClock)
            for peer in silent.withLock({ $0 }) {
                await attempt("declaring a session dead") { try await declareDead(peer) }
            }
            await attempt("reclaiming", reclaimRuns)
            if Task.isCancelled { return }
        }
    }

    private func attempt(_ what: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            if Task.isCancelled { return }
            observer.observe(.databaseAway(during: what, error))
        }
    }

    private func reclaimRuns() async throws {
        while true {
            let reclaimed = try await store.reclaimRuns()
            for run in reclaimed {
                observer.observe(.reclaimed(run.job, became: run.became))
            }
            if reclaimed.isEmpty { return }
            holder.reclaimed(in: Set(reclaimed.map(\.queue)))
        }
    }

    private func followClock() async throws {
        guard let finder = lease.session, let step = clockStep.withLock({ $0.take() }) else {
            return
        }
        let isFirst = try await store.followClock(
            seenSteps: step.seenSteps, back: step.back, finder: finder)
        clock.withLock { $0.followed() }
        if isFirst { observer.observe(.clockSetBack(by: step.back)) }
    }

    private func declareDead(_ peer: (session: SessionID, beat: Int64)) async throws {
        guard let watcher = lease.session else { return }
        let died = try await store.declareDead(
            peer.session, watchedBeat: peer.beat, watcher: watcher)
        if died { observer.observe(.declaredDead(peer.session, by: watcher)) }
    }

    private func close() async {
        guard let session = lease.clock.withLock({ $0.session }) else { return }
        do {
            // What the runs said last has no other beat to go with.
            let news = holder.progressToTell()
            if !news.isEmpty {
                _ = try await store.beat(
                    session, runs: [], unknownSince: Fence(.max), news: news,
                    deadline: profile.lease.beatDeadline)
            }
            _ = try await store.close(session)
            observer.observe(.sessionClosed(session))
        } catch {
            observer.observe(.databaseAway(during: "closing a session", error))
        }
    }
}

/// A beat's answer, sorted.
private struct BeatAnswer {
    var isRenewed = false
    var hasDead = false
    var stopBy: String?
    var verdicts: [(run: RunRef, verdict: Verdict)] = []
    var unknown: [RunRef] = []
    var peers: [(session: SessionID, beat: Int64, lease: Duration)] = []
    var clock: (microseconds: Int64, steps: Int64)?

    /// - Parameter asked: the runs that were sent. Of two runs of one job the later may hold it,
    ///   so a verdict that names the job is the earlier one's.
    init(_ lines: [BeatLine], asked: [RunRef]) {
        let runs = Dictionary(asked.map { ($0.job, $0) }) { $0.fence < $1.fence ? $0 : $1 }
        for line in lines {
            switch line {
            case .renewed: isRenewed = true
            case .verdict(let job, let verdict):
                if let run = runs[job] { verdicts.append((run, verdict)) }
            case .unknown(let run): unknown.append(run)
            case .peer(let session, let beat, let lease): peers.append((session, beat, lease))
            case .clock(let microseconds, let steps): clock = (microseconds, steps)
            case .stop(let whom): stopBy = whom
            case .dead: hasDead = true
            case .other: break
            }
        }
    }
}
