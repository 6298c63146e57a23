import Tenure
import TenurePostgres

/// Claims the jobs of one queue and runs them in its slots.
///
/// One loop claims, on the control reactor. Another one notes what begins and opens slots. Each
/// slot is a task on the handlers' executor that runs one claimed job after another, and ends when
/// none is left that the note names: a job that is here needs no other thread to start, and none
/// when it is done.
struct Claimer: Sendable {
    /// When something fell due since the claim, or is just being claimed by another worker.
    private static let shortestPause = Duration.milliseconds(5)

    let queue: LocalQueue
    let worker: WorkerCore

    /// Gives back what has waited for a slot too long: others may be idle.
    func handBackStale(_ limit: Duration) {
        let now = worker.time.now
        let stale = queue.state.withLock { state -> [Run] in
            guard let oldest = state.bufferedAt, oldest.duration(to: now) > limit else { return [] }
            if !state.buffer.isEmpty { state.demand.slowDown() }
            return state.takeBuffer()
        }
        for run in stale { worker.handBack(run, why: "it waited too long for a slot") }
    }

    /// No more claims; what waits for a slot is handed back. `run` returns when the slots are
    /// empty.
    func stop() {
        let unstarted = queue.state.withLock { state in
            state.isStopped = true
            return state.takeBuffer()
        }
        for run in unstarted { worker.handBack(run, why: "shutdown before it started") }
        queue.wake.notify()
        queue.slotsWake.notify()
    }

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.runSlots() }
            await runClaims()
        }
    }

    private func runClaims() async {
        await withDiscardingTaskGroup { group in
            while !queue.state.withLock({ $0.isStopped }) {
                // A claim that has been answered says so, and so does a slot that is free.
                if let turn = startClaim(&group) {
                    await queue.wake.wait(until: turn, on: worker.time)
                } else if queue.state.withLock({ $0.asked > 0 }) {
                    await queue.wake.wait()
                } else {
                    await pause()
                }
            }
        }
    }

    // MARK: Claiming

    /// Claims if there is room.
    /// - Returns: until when it waits for more room; nil: it doesn't.
    private func startClaim(_ group: inout DiscardingTaskGroup) -> ContinuousClock.Instant? {
        guard let session = worker.lease.session else {
            queue.state.withLock { $0.hasFailed = true }
            return nil
        }
        let now = worker.time.now
        var turn: ContinuousClock.Instant?
        let request: ClaimRequest? = queue.state.withLock { state in
            var wanted = state.wanted
            guard wanted > 0 else { return nil }
            turn = state.gathers(wanted, at: now)
            guard turn == nil else { return nil }
            var ahead = state.ahead(of: wanted)
            if state.isIdle, ahead < ClaimRequest.leastFolded {
                // What comes first is seldom more than there are slots for.
                wanted -= ahead
                ahead = 0
            }
            state.demand.claims(at: now)
            state.open += 1
            state.asked += wanted
            state.hasNews = false
            var request = ClaimRequest(
                session: session, queue: queue.name, kinds: worker.readableKinds,
                wanted: wanted, ahead: ahead, position: state.sweep.start(at: now))
            request.passed = state.sweep.passed
            request.over = state.takeOver(of: session)
            return request
        }
        guard let request else { return turn }
        // It is sent before anything else is done here: the database waits for it.
        group.addImmediateTask(executorPreference: worker.surroundings.control) {
            await self.claim(request, since: now)
        }
        return nil
    }

    private func claim(_ request: ClaimRequest, since start: ContinuousClock.Instant) async {
        let number = worker.openClaims.begin()
        let isAnswered = Lock(false)
        do {
            let (jobs, cost) = try await worker.store.claimAmongOthers(request) {
                [queue] glance in
                isAnswered.withLock { $0 = true }
                // The next claim may go while this one is committed, and its rows are read.
                queue.answered(request, glance)
            }
            take(jobs, of: request, since: start, cost: cost)
        } catch {
            worker.claimFailed(error)
            queue.state.withLock { $0.claimFailed() }
        }
        worker.openClaims.end(number)
        queue.state.withLock { state in
            if !isAnswered.withLock({ $0 }) { state.open -= 1 }
            state.asked -= request.wanted
        }
        queue.wake.notify()
    }

    private func take(
        _ jobs: [ClaimedJob], of request: ClaimRequest, since start: ContinuousClock.Instant,
        cost: Duration?
    ) {
        let now = worker.time.now
        let took = start.duration(to: now)
        let runs = jobs.map { worker.run($0, session: request.session) }
        let last = runs.sorted { $1.job.comesBefore($0.job) }
        worker.registry.add(runs)
        worker.waiters.offered.claimed(jobs.lazy.map(\.run.job))
        let isStopped = queue.state.withLock { state in
            state.sweep.claimed(by: request, took: cost ?? took, at: now)
            state.demand.claimed(in: took)
            if jobs.contains(where: \.startsAtOnce) { state.mayClaimAhead = false }
            state.vain = jobs.isEmpty ? state.vain + 1 : 0
            if !state.isStopped, !jobs.isEmpty {
                state.hold(last, of: request.session)
                state.bufferedAt = now
            }
            return state.isStopped
        }
        if isStopped {
            for run in runs { worker.handBack(run, why: "shutdown before it started") }
        }
        queue.slotsWake.notify()
        if !jobs.isEmpty {
            worker.observer.observe(.claimed(queue.name, count: jobs.count, took: took))
            if worker.observer.hearsOfEachClaim {
                for run in runs { worker.observer.observe(.claimedRun(run.info)) }
            }
        }
    }

    /// A slot has become free, or what is ahead runs low.
    func claimSoon() { queue.wake.notify() }

    /// Waits for news: a wake-up, a free slot, the next scheduled job, or the poll.
    private func pause() async {
        if queue.state.withLock({ $0.owesOver }) {
            queue.state.withLock { $0.isDrained = false }
            return
        }
        let now = worker.time.now
        let (isDrained, hasFailed, usesPosition, headRest, vain) = queue.state.withLock {
            (
                $0.isDrained, $0.hasFailed, $0.sweep.usesPosition(at: now),
                $0.sweep.restOfHead(at: now),
                $0.vain
            )
        }
        var poll = worker.pollInterval
        if hasFailed { poll = min(poll, worker.configuration.pollInterval) }
        // What falls due does so at its time, and not at a tenth of the way before or after it.
        var due = poll * 2
        if isDrained, worker.lease.session != nil {
            // A claim from the position may have passed something by.
            if usesPosition, !hasFailed { poll = min(poll, headRest) }
            if poll > .zero { due = await timeToNextDue(vain: vain) }
        }
        let end = now + min(poll * worker.jitter(), due)
        repeat {
            await queue.wake.wait(until: end, on: worker.time)
        } while hasFailed && mustWait(until: end)
        // Whatever woke us, the line may have something new; a full house claims nothing.
        queue.state.withLock { state in
            state.isDrained = false
            state.hasFailed = false
        }
    }

    /// The signal may be the failed claim's own.
    private func mustWait(until end: ContinuousClock.Instant) -> Bool {
        let hasNews = queue.state.withLock { $0.hasNews || $0.isStopped }
        return !hasNews && !Task.isCancelled && worker.time.now < end
    }

    /// What is due and can't be had, because others are at it or a limit holds it, is looked for
    /// less and less often.
    private func timeToNextDue(vain: Int) async -> Duration {
        let poll = worker.configuration.pollInterval
        let now = worker.time.now
        let position = queue.state.withLock {
            $0.sweep.usesPosition(at: now) ? $0.sweep.position : nil
        }
        do {
            let next = try await worker.store.nextDue(
                in: queue.name, kinds: worker.readableKinds, from: position,
                release: worker.configuration.reader)
            let shortest = min(Self.shortestPause * (1 << min(vain, 20)), poll)
            let due = next.dueIn.map { max($0, shortest) } ?? worker.pollInterval
            return next.isGuarded ? min(due, poll) : due
        } catch {
            worker.claimFailed(error)
            return poll
        }
    }
}
