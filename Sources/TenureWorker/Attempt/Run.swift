package import Tenure

/// One execution of a job, as this worker holds it: from the claim's answer until its end is
/// written. Its handler gets it as it is.
package final class Run: Sendable {
    /// What it has come to so far.
    struct Course: Sendable {
        /// When its handler started; nil while it waits for a slot.
        var startedAt: ContinuousClock.Instant?
        var endedAt: ContinuousClock.Instant?
        /// When a verdict ended its right.
        var askedAt: ContinuousClock.Instant?
        var saidStuckAt: ContinuousClock.Instant?
        var saidLong = false
        var saidAfterReturn = false
        var saidLate = false
        /// How its handler's own commit has ended it.
        var committedAs: RunOutcome?
        /// What its handler has done, and waits for; nil where it keeps neither.
        var steps: StepLedger?
        /// Its payload, where that was sealed.
        var openedPayload: String?
        /// As a payload: the letter that it is, with the payload that was sealed in it.
        var openedLetter: String?
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

    package let job: ClaimedJob
    package let right: RunRight
    /// Under which session it was claimed.
    let session: SessionID
    /// Of its kind; nil where this worker knows none.
    let handler: KindHandler?
    let services: RunServices
    /// What it logs, where its kind keeps that.
    let log: RunLog?

    init(
        _ job: ClaimedJob, session: SessionID, handler: KindHandler?, services: RunServices
    ) {
        self.job = job
        self.session = session
        self.handler = handler
        self.services = services
        log = handler?.keepsLog == true ? RunLog() : nil
        right = RunRight(services.canceller)
    }

    var info: RunInfo { job.run }
    var ref: RunRef { job.ref }
    var veil: Veil {
        handler.map {
            Veil(
                fields: $0.secretFields, payload: course.openedPayload ?? job.payload,
                letter: course.openedLetter)
        } ?? .none
    }

    /// The last lines that it has logged, as JSON; nil where none is kept.
    var loggedLines: String? { log?.json(veil) }

    // MARK: For its handler

    /// Throws `CancellationError` when the run's right is gone, by the clock and not only by a
    /// flag: a process that was frozen finds out here.
    package func checkRight() throws {
        if services.lease.session != session { lose(.leaseExpired) }
        if right.reason != nil { throw CancellationError() }
        try Task.checkCancellation()
    }

    /// For operators; see `JobContext.progress`.
    package func report(_ progress: JobProgress) {
        // What a run says after its end would stand there for what a later one has come to.
        guard right.reason == nil else { return }
        if course.endedAt != nil { return saidAfterReturn() }
        services.progress.report(veil.progress(progress), of: ref)
    }

    /// What is behind its job, and what it has come to of that.
    var steps: StepLedger {
        right.withCourse { course in
            if let steps = course.steps { return steps }
            let steps = StepLedger()
            course.steps = steps
            return steps
        }
    }

    /// Ends the run, and its handler with it: the job goes on when the wait is over.
    package func wait(for wait: Wait) {
        steps.add(wait)
        lose(.waiting(for: wait.description))
    }

    /// Ends its right, and says so.
    func lose(_ reason: EndReason) {
        if right.end(reason) { services.observer.observe(.runEnding(info, reason)) }
    }

    // MARK: Its course

    var course: Course { right.withCourse { $0 } }

    /// Of its course what every end is told with.
    var spanAndTime: (span: RunSpan?, took: Duration?) {
        right.withCourse { ($0.span, $0.took) }
    }

    func started(at now: ContinuousClock.Instant) { right.withCourse { $0.startedAt = now } }

    /// Returns what it has come to.
    func ended(at now: ContinuousClock.Instant) -> Course {
        right.withCourse {
            $0.endedAt = now
            return $0
        }
    }

    func asked(at now: ContinuousClock.Instant) { right.withCourse { $0.askedAt = now } }
    /// - Returns: what its handler is to return.
    @discardableResult
    func didCommit(as outcome: RunOutcome) -> JobOutcome {
        right.withCourse { $0.committedAs = outcome }
        return JobOutcome(way: .committed(became: outcome, by: ref))
    }
    func follows(_ span: RunSpan) { right.withCourse { $0.span = span } }
    func saidStuck(at now: ContinuousClock.Instant) { right.withCourse { $0.saidStuckAt = now } }
    /// Its context was used when nobody listens any more: told once.
    func saidAfterReturn() {
        let isNews = right.withCourse { course in
            defer { course.saidAfterReturn = true }
            return !course.saidAfterReturn
        }
        if isNews { services.observer.observe(.usedAfterReturn(info)) }
    }
    /// Nothing of it counts: told once. Returns whether this is the first time.
    func saysLate() -> Bool {
        right.withCourse { course in
            defer { course.saidLate = true }
            return !course.saidLate
        }
    }
    func saidLong() { right.withCourse { $0.saidLong = true } }
}
