import Tenure
import TenurePostgres

/// A run that this worker holds, from the claim's answer until its end is written.
package final class HeldRun: Sendable {
    /// What it has come to so far.
    struct Course: Sendable {
        /// When its handler started; nil while it waits for a slot.
        var startedAt: ContinuousClock.Instant?
        var endedAt: ContinuousClock.Instant?
        /// When a verdict ended its right.
        var askedAt: ContinuousClock.Instant?
        var saidStuckAt: ContinuousClock.Instant?
        var saidLong = false
        var hasTimeout = false
        /// How its handler's own commit has ended it.
        var committedAs: RunOutcome?
        /// What a tracer sees of it, if there is one.
        var span: RunSpan?

        /// From the verdict to the handler's return; nil without one.
        var lettingGo: Duration? {
            guard let askedAt, let endedAt else { return nil }
            return askedAt.duration(to: endedAt)
        }

        /// Nil before it has ended.
        var took: Duration? {
            guard let startedAt, let endedAt else { return nil }
            return startedAt.duration(to: endedAt)
        }
    }

    let job: ClaimedJob
    let right: RunRight
    /// Under which session it was claimed.
    let session: SessionID
    private let state = Lock(Course())

    init(_ job: ClaimedJob, session: SessionID, canceller: Canceller) {
        self.job = job
        self.session = session
        right = RunRight(canceller)
    }

    var info: RunInfo { job.run }
    var ref: RunRef { job.ref }
    var course: Course { state.withLock { $0 } }

    func started(at now: ContinuousClock.Instant, hasTimeout: Bool) {
        state.withLock {
            $0.startedAt = now
            $0.hasTimeout = hasTimeout
        }
    }

    /// Returns what it has come to.
    func ended(at now: ContinuousClock.Instant) -> Course {
        state.withLock {
            $0.endedAt = now
            return $0
        }
    }

    func asked(at now: ContinuousClock.Instant) { state.withLock { $0.askedAt = now } }
    func didCommit(as outcome: RunOutcome) { state.withLock { $0.committedAs = outcome } }
    func follows(_ span: RunSpan) { state.withLock { $0.span = span } }
    func saidStuck(at now: ContinuousClock.Instant) { state.withLock { $0.saidStuckAt = now } }
    func saidLong() { state.withLock { $0.saidLong = true } }
}
