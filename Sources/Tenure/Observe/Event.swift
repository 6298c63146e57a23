package import TenureFoundation

/// What happened, as one value: logged, counted and traced in one place (`EventObserver`).
package enum Event: Sendable {
    case sessionOpened(SessionID)
    case sessionClosed(SessionID)
    /// Declared dead by another: a new session follows.
    case sessionLost(SessionID)
    case leaseRenewed(SessionID, after: Duration)
    case leaseExpired(SessionID)
    case declaredDead(SessionID, by: SessionID)
    /// The database's clock was; the times of waiting jobs went back with it.
    case clockSetBack(by: Duration)
    case reclaimed(JobID, became: RunOutcome)
    /// Had not begun by its `notAfter`.
    case expired(JobID, kind: JobKind, queue: QueueName)
    /// So many waiting jobs had nothing left to wait for: no statement should leave one like that.
    case strandedReleased(Int)
    /// A batch has ended, and what its end was to enqueue could not be.
    case followUpRefused(batch: UUID, reason: String)
    /// By the breaker: its runs end with their process.
    case kindPaused(JobKind, reason: String)
    case databaseAway(during: String, any Error)
    case claimed(QueueName, count: Int, took: Duration)
    /// For who hears of each one (`EventObserver.hearsOfEachClaim`).
    case claimedRun(RunInfo)
    case started(RunInfo)
    /// - Parameters:
    ///   - took: from its handler's start to its return; nil where none has begun.
    ///   - failure: what the handler threw, where that was one.
    case ended(RunInfo, became: RunOutcome, took: Duration?, failure: (any Error)?)
    /// A failed attempt, once the database has it as one.
    case failed(RunInfo, any Error)
    /// The job is done all the same.
    case threwAfterCommit(RunInfo, any Error)
    /// Something else than its commit had said.
    case returnedAfterCommit(RunInfo, String)
    /// Its run had ended to wait, and it has not let the cancellation through.
    case wentOnInsteadOfWaiting(RunInfo, String)
    /// A task that a handler left behind reports or commits; nothing comes of it.
    case usedAfterReturn(RunInfo)
    case runEnding(RunInfo, EndReason)
    /// A handler that a verdict stopped has returned.
    case letGo(RunInfo, after: Duration)
    case lateResult(RunInfo)
    /// The same of a run that had nothing to complete: it was told to stop, or had not begun.
    case outrun(RunInfo)
    case held(RunInfo, reason: String)
    case stuck(RunInfo, since: Duration, EndReason)
    case longWithoutTimeout(RunInfo, since: Duration)
    /// Nothing of what handlers do has gone on for so long: something blocks their threads.
    case handlersBlocked(since: Duration, running: String)
    case handlersMove(after: Duration)
    /// The process is given up because of handlers that ignore their cancellation.
    case leaving(stuck: Int, since: Duration)
    case unknownCommitResolved(RunInfo, committed: Bool)
    /// A chunk's commit failed: its members, of which this is the first, go on in smaller ones, or
    /// again.
    case chunkFailed(RunInfo, members: Int, reason: String)
    case handedBack(RunRef, why: String)
    case shutdown(running: Int)
    /// An operator has asked the session to end.
    case stopAsked(by: String)
    /// How many handlers ignore their cancellation just now; said when it changes.
    case stuckNow(Int)
}

/// A run, for people: what every line about it carries.
package struct RunInfo: Sendable {
    package var job: JobID
    package var kind: JobKind
    package var queue: QueueName
    package var key: String?
    package var generation: Generation?
    package var fence: Fence
    package var attempt: Int
    /// From due to claimed, by the database's clock.
    package var waited = Duration.zero

    package init(
        job: JobID, kind: JobKind, queue: QueueName, key: String?, generation: Generation?,
        fence: Fence, attempt: Int
    ) {
        self.job = job
        self.kind = kind
        self.queue = queue
        self.key = key
        self.generation = generation
        self.fence = fence
        self.attempt = attempt
    }
}

/// Takes in events. Called on threads that must not wait: it neither blocks nor throws.
package protocol EventObserver: Sendable {
    func observe(_ event: Event)

    /// Whether it is to be told of each run that a claim brings, beside the claim.
    var hearsOfEachClaim: Bool { get }
}

extension EventObserver {
    package var hearsOfEachClaim: Bool { false }
}
