import Tenure

/// A run, from its claim to its end.
extension WorkerCore {
    func run(_ job: ClaimedJob, session: SessionID) -> Run {
        Run(job, session: session, handler: kinds[job.run.kind], services: services)
    }

    /// In its slot, on the handlers' executor. Returns when the run has let go of it; its end may
    /// still be on its way.
    /// - Returns: when it let go.
    @discardableResult
    func execute(_ run: Run) async -> ContinuousClock.Instant {
        // The claim's answer may have been long on its way, and the job long in the buffer: the
        // clock is looked at just before the handler starts, on its own thread.
        let now = time.now
        guard let handler = run.handler else {
            hold(run, "no handler is registered for kind \(run.info.kind)")
            return now
        }
        let version = run.job.payloadVersion
        guard version <= handler.payloadVersion else {
            hold(
                run,
                "its payload has version \(version), this release reads up to "
                    + "\(handler.payloadVersion)")
            return now
        }
        guard lease.session(at: now) == run.session, run.right.begin() else {
            handBack(run, why: "its lease was over before it started")
            return now
        }
        run.started(at: now)
        observer.observe(.started(run.info))
        let result = await run.perform(handler)
        let endedAt = time.now
        let course = run.ended(at: endedAt)
        if let after = course.lettingGo { observer.observe(.letGo(run.info, after: after)) }
        end(run, course, result, handler.retry)
        return endedAt
    }

    private func end(
        _ run: Run, _ course: Run.Course, _ result: Result<JobOutcome, any Error>,
        _ retry: RetryPolicy
    ) {
        if let became = course.committedAs {
            // Whatever the handler says now: it is done.
            if case .failure(let error) = result, !Cancellation.isCancellation(error) {
                let error = run.veil.error(error)
                course.span?.record(error)
                observer.observe(.threwAfterCommit(run.info, error))
            }
            if case .success(let outcome) = result, let what = outcome.contradiction {
                observer.observe(.returnedAfterCommit(run.info, what))
            }
            return ends.written(run, became: became)
        }
        let reason = run.right.reason
        if case .waiting = reason { return wait(run, course, result) }
        if case .failure(let error) = result, let why = reasonToHold(run, error) {
            return hold(run, why)
        }
        let decision = EndDecision.decide(
            run.sealed(result), reason: reason, run: run.info, veil: run.veil,
            retryDelay: delay(retry, afterAttempt: run.info.attempt))
        switch decision {
        case .completed where run.loggedLines != nil:
            report(RunEnding(run.ref, .completed), of: run)
        case .completed: finisher.complete(run)
        case .late(let ending):
            if run.saysLate() { observer.observe(.lateResult(run.info)) }
            report(ending, of: run)
        case .report(let ending): report(ending, of: run)
        }
    }

    /// With what it has logged, where that is kept.
    private func report(_ ending: RunEnding, of run: Run) {
        var ending = ending
        if let lines = run.loggedLines { ending.also.append(EndExtras.log(lines)) }
        finisher.report(ending)
    }

    /// Whatever the handler made of it: what it waits for decides how it goes on.
    private func wait(_ run: Run, _ course: Run.Course, _ result: Result<JobOutcome, any Error>) {
        switch result {
        case .success: observer.observe(.wentOnInsteadOfWaiting(run.info, "returned"))
        case .failure(let error) where !Cancellation.isCancellation(error):
            observer.observe(
                .wentOnInsteadOfWaiting(run.info, "threw \(run.veil.text(error))"))
        case .failure: break
        }
        do {
            var ending = RunEnding(run.ref, .waits)
            ending.also.append(try Wait.field(of: course.steps?.waits ?? []))
            report(ending, of: run)
        } catch {
            report(
                .failed(run.ref, code: "invalid_wait", message: "\(error)", delay: .zero), of: run)
        }
    }

    private func delay(_ policy: RetryPolicy, afterAttempt attempt: Int) -> Duration {
        var generator = surroundings.random
        return policy.delay(afterAttempt: attempt, using: &generator)
    }

    /// Gives back what was claimed and has not begun.
    func handBack(_ run: Run, why: String) { handBack(run.ref, why: why) }

    func handBack(_ run: RunRef, why: String) {
        // What had begun, and whose end the database would not take, is known no more either.
        var ending = RunEnding(run, registry.removeUnwritten(run) ? .handedBack : .unbegun)
        ending.reason = why
        observer.observe(.handedBack(run, why: why))
        finisher.report(ending)
    }

    private static var longestReason: Int { 4000 }

    /// Why nobody here can run it; nil where an attempt has failed.
    private func reasonToHold(_ run: Run, _ error: any Error) -> String? {
        switch error {
        case let error as TenureError where [.unknownKey, .notSealed].contains(error.code):
            return String(run.veil.text(error.message).prefix(Self.longestReason))
        case let unreadable as UnreadablePayload:
            let why = PayloadMismatch.text(unreadable.cause, isSecret: run.isSealed)
            let said = "its payload does not decode: \(run.veil.text(why))"
            return String(said.prefix(Self.longestReason))
        default: return nil
        }
    }

    private func hold(_ run: Run, _ reason: String) {
        var ending = RunEnding(run.ref, .held)
        ending.reason = reason.storable
        ending.holdVersion = configuration.reader
        observer.observe(.held(run.info, reason: reason))
        report(ending, of: run)
    }
}
