import Tenure
import TenurePostgres

/// Hands what the heartbeat learns to the runs it concerns. Called on the beat's thread.
final class LeaseHolder: SessionHolder {
    private struct Unknown {
        var beatsSinceLook = 0
        /// Runs we don't know, each with the newest claim that had begun when it was first seen.
        var suspects: [RunRef: UInt64] = [:]
    }

    private let registry: RunRegistry
    private let time: any Timekeeper
    private let observer: any EventObserver
    private let handBack: @Sendable (RunRef) -> Void
    private let openClaims: OpenClaims
    private let progress: ProgressBoard
    private let queues: [QueueName: LocalQueue]
    private let stop: @Sendable () -> Void
    private let isStopping = Lock(false)
    private let unknown = Lock(Unknown())
    private static let beatsBetweenLooks = 12

    init(
        registry: RunRegistry, time: any Timekeeper, observer: any EventObserver,
        openClaims: OpenClaims, progress: ProgressBoard, queues: [QueueName: LocalQueue],
        handBack: @escaping @Sendable (RunRef) -> Void,
        stop: @escaping @Sendable () -> Void
    ) {
        self.registry = registry
        self.time = time
        self.observer = observer
        self.openClaims = openClaims
        self.progress = progress
        self.queues = queues
        self.handBack = handBack
        self.stop = stop
    }

    func runsToRenew() -> (runs: [RunRef], unknownSince: Fence) {
        let looks = unknown.withLock { unknown in
            unknown.beatsSinceLook += 1
            let looks =
                openClaims.mayHaveLostRuns || unknown.beatsSinceLook >= Self.beatsBetweenLooks
            if looks { unknown.beatsSinceLook = 0 }
            return looks
        }
        return (registry.uncommitted, Fence(looks ? 0 : .max))
    }

    func progressToTell() -> [ProgressNews] { progress.take() }

    func progressUntold(_ news: [ProgressNews]) { progress.putBack(news) }

    func verdicts(_ verdicts: [(run: RunRef, verdict: Verdict)]) {
        for (run, verdict) in verdicts {
            guard let held = registry.find(run), held.course.committedAs == nil else { continue }
            switch verdict {
            case .lost: end(held, .lost)
            case .cancelled(let who): end(held, .cancelled(by: who))
            case .superseded(let generation): end(held, .superseded(by: generation))
            }
        }
    }

    /// A run that is still unknown when every claim has ended that may have brought it was given
    /// to us by an answer that never came: it goes back.
    func unknownRuns(_ runs: [RunRef]) {
        let last = openClaims.last
        let strangers = runs.filter { registry.find($0) == nil }
        let confirmed: [RunRef] = unknown.withLock { unknown in
            let confirmed = strangers.filter { run in
                unknown.suspects[run].map(openClaims.haveEnded(upTo:)) ?? false
            }
            unknown.suspects = Dictionary(
                uniqueKeysWithValues: strangers.map { ($0, unknown.suspects[$0] ?? last) })
            return confirmed
        }
        openClaims.mayHaveLostRuns = !strangers.isEmpty
        for run in confirmed { handBack(run) }
    }

    func reclaimed(in names: Set<QueueName>) { queues.wakeUp(names) }

    func clockWasSetBack(by back: Duration) {
        let now = time.now
        for queue in queues.values {
            queue.state.withLock { $0.sweep.clockWasSetBack(by: back, at: now) }
        }
        queues.wakeUp()
    }

    func sessionOpened(_ session: SessionID) { queues.wakeUp() }

    func leaseExpired(_ session: SessionID) { endAll(of: session, .leaseExpired) }

    func sessionOver(_ session: SessionID) { endAll(of: session, .lost) }

    func stopAsked(by whom: String) {
        let isFirst = isStopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return }
        observer.observe(.stopAsked(by: whom))
        stop()
    }

    private func endAll(of session: SessionID, _ reason: EndReason) {
        let ended = registry.all.filter { $0.session == session && $0.right.end(reason) }
        // Every right is ended before the first line is logged.
        for held in ended { observer.observe(.runEnding(held.info, reason)) }
    }

    private func end(_ held: Run, _ reason: EndReason) {
        if held.right.end(reason) {
            held.asked(at: time.now)
            observer.observe(.runEnding(held.info, reason))
        }
    }
}
