import Tenure
import TenurePostgres

/// Claims the jobs of one queue and runs them in its slots.
///
/// One loop claims; each slot is a task that runs one claimed job after another and ends when
/// none is left. All of it runs on the control reactor; only handlers run elsewhere.
final class Claimer: Sendable {
    private struct State {
        var running = 0
        /// Claimed and waiting for a slot; the next one is the last.
        var buffer: [ClaimedJob] = []
        /// When the buffer was last filled.
        var bufferedAt: ContinuousClock.Instant?
        var session: SessionID?
        var demand: ClaimDemand
        var sweep = ClaimSweep()
        var inFlight = 0
        /// The last claim found less than it asked for: wait for news.
        var isDrained = false
        var hasLanes = false
        var isStopped = false
        /// Claims in a row that found nothing although something seemed due.
        var vain = 0
    }

    private enum Claimed { case some, none, failed }

    /// When something fell due since the claim, or is just being claimed by another worker.
    private static let shortestPause = Duration.milliseconds(5)

    let queue: QueueName
    private let worker: WorkerCore
    private let state: Lock<State>
    private let wake = Signal()

    init(queue: QueueName, slots: Int, worker: WorkerCore) {
        self.queue = queue
        self.worker = worker
        state = Lock(State(demand: ClaimDemand(slots: slots)))
    }

    var isClaiming: Bool { state.withLock { $0.inFlight > 0 } }

    /// There may be something to claim.
    func wakeUp() {
        state.withLock {
            $0.isDrained = false
            $0.vain = 0
        }
        wake.notify()
    }

    /// Gives back what has waited for a slot too long: others may be idle.
    func handBackStale(_ limit: Duration) {
        let now = worker.time.now
        let stale = state.withLock { state -> [ClaimedJob] in
            guard let oldest = state.bufferedAt, oldest.duration(to: now) > limit else { return [] }
            if !state.buffer.isEmpty { state.demand.slowDown() }
            defer { state.buffer = [] }
            return state.buffer
        }
        for job in stale { worker.handBack(job.ref, why: "it waited too long for a slot") }
    }

    /// No more claims; what waits for a slot is handed back. `run` returns when the slots are
    /// empty.
    func stop() {
        let unstarted = state.withLock { state in
            state.isStopped = true
            defer { state.buffer = [] }
            return state.buffer
        }
        for job in unstarted { worker.handBack(job.ref, why: "shutdown before it started") }
        wake.notify()
    }

    func run() async {
        await withDiscardingTaskGroup { slots in
            while !state.withLock({ $0.isStopped }) {
                let claimed = await claim()
                fill(&slots)
                if claimed != .some { await pause(after: claimed) }
            }
        }
    }

    // MARK: Claiming

    /// Claims if there is room.
    private func claim() async -> Claimed {
        guard let session = worker.session else { return .failed }
        let start = worker.time.now
        let (wanted, position) = state.withLock { state in
            let wanted =
                state.isDrained || state.isStopped
                ? 0
                : state.demand.wanted(
                    running: state.running, buffered: state.buffer.count,
                    mayPrefetch: !state.hasLanes)
            if wanted > 0 { state.inFlight += 1 }
            return (wanted, state.sweep.start(at: start))
        }
        guard wanted > 0 else { return .none }
        defer { state.withLock { $0.inFlight -= 1 } }
        do {
            let jobs = try await worker.store.claim(
                ClaimRequest(
                    session: session, queue: queue, kinds: worker.kindNames, wanted: wanted,
                    position: position))
            take(jobs, wanted: wanted, fromHead: position == nil, since: start, session)
            return jobs.isEmpty ? .none : .some
        } catch {
            worker.claimFailed(error)
            return .failed
        }
    }

    private func take(
        _ jobs: [ClaimedJob], wanted: Int, fromHead: Bool, since start: ContinuousClock.Instant,
        _ session: SessionID
    ) {
        let now = worker.time.now
        let inOrder = jobs.sorted {
            ($0.priority, $0.runAt, $0.run.job) < ($1.priority, $1.runAt, $1.run.job)
        }
        worker.registry.add(
            jobs.map { RunRegistry.Held(info: $0.run, right: RunRight(), session: session) })
        let isStopped = state.withLock { state in
            state.sweep.claimed(jobs, fromHead: fromHead, took: start.duration(to: now), at: now)
            state.isDrained = jobs.count < wanted
            state.hasLanes = jobs.contains { $0.lane != nil }
            state.vain = jobs.isEmpty ? state.vain + 1 : 0
            if !state.isStopped, !jobs.isEmpty {
                state.buffer.insert(contentsOf: inOrder.reversed(), at: 0)
                state.bufferedAt = now
            }
            return state.isStopped
        }
        if isStopped {
            for job in jobs { worker.handBack(job.ref, why: "shutdown before it started") }
        }
        if !jobs.isEmpty {
            worker.observer.observe(
                .claimed(queue, count: jobs.count, took: start.duration(to: now)))
        }
    }

    /// Waits for news: a wake-up, a free slot, the next scheduled job, or the poll.
    private func pause(after claimed: Claimed) async {
        let now = worker.time.now
        let (isDrained, headRest, vain) = state.withLock {
            ($0.isDrained, $0.sweep.restOfHead(at: now), $0.vain)
        }
        var poll = worker.pollInterval
        if claimed == .failed { poll = min(poll, worker.configuration.pollInterval) }
        if isDrained, worker.session != nil {
            // A claim from the position may have passed something by.
            if headRest > .zero { poll = min(poll, headRest) }
            poll = min(poll, await timeToNextDue(vain: vain))
        }
        let jitter = worker.jitter()
        await wake.wait(until: worker.time.now + poll * jitter, on: worker.time)
        // Whatever woke us, the line may have something new; a full house claims nothing.
        state.withLock { $0.isDrained = false }
    }

    /// What is due and can't be had, because others are at it or a limit holds it, is looked for
    /// less and less often.
    private func timeToNextDue(vain: Int) async -> Duration {
        let poll = worker.configuration.pollInterval
        let position = state.withLock { $0.sweep.start(at: worker.time.now) }
        do {
            let next = try await worker.store.nextDue(
                in: queue, kinds: worker.kindNames, from: position)
            let shortest = min(Self.shortestPause * (1 << min(vain, 20)), poll)
            let due = next.dueIn.map { max($0, shortest) } ?? worker.pollInterval
            return next.isGuarded ? min(due, poll) : due
        } catch {
            worker.claimFailed(error)
            return poll
        }
    }

    // MARK: Slots

    private func fill(_ slots: inout DiscardingTaskGroup) {
        while let job = takeForNewSlot() {
            slots.addTask { await self.runSlot(first: job) }
        }
    }

    private func takeForNewSlot() -> ClaimedJob? {
        state.withLock { state in
            guard state.running < state.demand.slots, !state.buffer.isEmpty else { return nil }
            state.running += 1
            return state.buffer.removeLast()
        }
    }

    private func runSlot(first: ClaimedJob) async {
        var next: ClaimedJob? = first
        while let job = next {
            await worker.attempt(job)
            next = takeForSameSlot(after: job)
        }
    }

    private func takeForSameSlot(after job: ClaimedJob) -> ClaimedJob? {
        let now = worker.time.now
        let (next, isLow) = state.withLock { state in
            state.demand.ended(1, at: now)
            let isLow =
                state.inFlight == 0 && state.buffer.count < state.demand.slots
                && (!state.isDrained || job.lane != nil)
            guard !state.buffer.isEmpty else {
                state.running -= 1
                return (ClaimedJob?.none, isLow)
            }
            return (state.buffer.removeLast(), isLow)
        }
        if isLow { wake.notify() }
        return next
    }
}
