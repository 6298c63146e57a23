import Tenure

/// A run, from its slot to its end.
extension WorkerCore {
    /// On the handlers' executor. Returns when the run has let go of its slot; its end may still be
    /// on its way.
    func attempt(_ held: HeldRun) async {
        let job = held.job
        guard let kind = kinds[job.run.kind] else {
            return hold(held, "no handler is registered for kind \(job.run.kind)")
        }
        guard job.payloadVersion <= kind.payloadVersion else {
            return hold(
                held,
                "its payload has version \(job.payloadVersion), this release reads up to "
                    + "\(kind.payloadVersion)")
        }
        await attempt(held, kind)
    }

    private func attempt(_ held: HeldRun, _ kind: KindHandler) async {
        let veil = Veil(fields: kind.secretFields, payload: held.job.payload)
        let handle = RunHandle(held: held, setting: runSetting, veil: veil)
        let attempt = Attempt(
            right: held.right, timeout: kind.timeout, time: time, control: surroundings.control)
        // The claim's answer may have been long on its way, and the job long in the buffer: the
        // clock is looked at just before the handler starts, on its own thread.
        guard session == held.session, attempt.begin() else {
            return handBack(held, why: "its lease was over before it started")
        }
        held.started(at: time.now, hasTimeout: kind.timeout != nil)
        observer.observe(.started(held.info))
        let result: Result<JobOutcome, any Error>
        if surroundings.tracer == nil, held.job.trace == nil {
            // Most often: nothing is between the attempt and the handler.
            result = await attempt.run { try await kind.run(handle) }
        } else {
            result = await attempt.run {
                try await held.traced(by: surroundings.tracer) { try await kind.run(handle) }
            }
        }
        let course = held.ended(at: time.now)
        if let after = course.lettingGo { observer.observe(.letGo(held.info, after: after)) }
        if let became = course.committedAs {
            // Whatever the handler says now: it is done.
            if case .failure(let error) = result, !Cancellation.isCancellation(error) {
                let error = veil.error(error)
                course.span?.record(error)
                observer.observe(.threwAfterCommit(held.info, error))
            }
            return carryOut(.written(became: became), held, course)
        }
        if case .failure(let unreadable as UnreadablePayload) = result {
            let why = veil.text(PayloadMismatch.text(unreadable.cause))
            return hold(held, "its payload does not decode: \(why)")
        }
        let decision = EndDecision.decide(
            result, reason: held.right.reason, run: held.info, veil: veil,
            retryDelay: delay(kind.retry, afterAttempt: held.info.attempt))
        carryOut(decision, held, course)
    }

    private func delay(_ policy: RetryPolicy, afterAttempt attempt: Int) -> Duration {
        var generator = surroundings.random
        return policy.delay(afterAttempt: attempt, using: &generator)
    }

    private func carryOut(
        _ decision: EndDecision, _ held: HeldRun, _ course: HeldRun.Course
    ) {
        switch decision {
        case .completed: finisher?.complete(held)
        case .written(let became):
            registry.remove(held.ref)
            batches.left(by: held)
            tell([held], became: became)
            course.span?.end(became: became)
            observer.observe(.ended(held.info, became: became, took: course.took))
            announce(held.info, became: became)
        case .late(let ending):
            observer.observe(.lateResult(held.info))
            finisher?.report(ending)
        case .report(let ending): finisher?.report(ending)
        }
    }

    // MARK: Ends

    /// Gives back what was claimed and has not begun.
    func handBack(_ held: HeldRun, why: String) { handBack(held.ref, why: why) }

    func handBack(_ run: RunRef, why: String) {
        // What had begun, and whose end the database would not take, is known no more either.
        var ending = RunEnding(run, unwritten.remove(run) ? .handedBack : .unbegun)
        ending.reason = why
        observer.observe(.handedBack(run, why: why))
        finisher?.report(ending)
    }

    private func hold(_ held: HeldRun, _ reason: String) {
        var ending = RunEnding(held.ref, .held)
        ending.reason = reason.storable
        ending.holdVersion = configuration.release
        observer.observe(.held(held.info, reason: reason))
        finisher?.report(ending)
    }

    /// The database has completed these.
    func completed(_ runs: [HeldRun]) {
        registry.remove(runs)
        tell(runs, became: .job(.completed))
        for held in runs {
            batches.left(by: held)
            let course = held.course
            course.span?.end(became: .job(.completed))
            observer.observe(.ended(held.info, became: .job(.completed), took: course.took))
        }
    }

    /// The database has written a run's end.
    func settled(_ ending: RunEnding, became: RunOutcome) {
        guard let held = registry.remove(ending.run) else { return }
        batches.left(by: held)
        let course = held.course
        switch became {
        case .late:
            course.span?.end(became: became)
            if ending.wanted == .completed { observer.observe(.lateResult(held.info)) }
            return
        case .unwritten: unwritten.add(ending.run)
        case .job, .snoozed, .other: break
        }
        let isFailure =
            ending.wanted == .failed && became != .job(.superseded) && became != .job(.cancelled)
        if isFailure { observer.observe(.failed(held.info, ending.failure)) }
        course.span?.end(
            became: became, failure: isFailure || ending.wanted == .held ? ending.failure : nil)
        tell([held], became: became)
        observer.observe(.ended(held.info, became: became, took: course.took))
        announce(held.info, became: became)
    }

    /// Those who wait for a job's end hear of it, if they have said so. It costs others nothing.
    private func tell(_ runs: [HeldRun], became: RunOutcome) {
        guard case .job(let status) = became, status.isFinished else { return }
        let heard = awaited.take(runs, at: time.now)
        if !heard.isEmpty { store.tell(ended: heard) }
    }

    /// A run's end may have made a job pending: its own, or a successor that waited for its key.
    private func announce(_ run: RunInfo, became: RunOutcome) {
        guard became.isToRunAgain || run.key != nil else { return }
        wakeUp([run.queue])
    }
}
