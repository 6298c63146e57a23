import Tenure

/// What follows from an end that is written: the run leaves the registry, and those hear of it
/// whom it concerns.
struct RunEnds: Sendable {
    let registry: RunRegistry
    let queues: [QueueName: LocalQueue]
    let batches: BatchKeeper
    let awaited: AwaitedJobs
    let store: any RunStore
    let time: any Timekeeper
    let observer: any EventObserver

    /// The database has completed these.
    func completed(_ runs: [Run]) {
        registry.remove(runs)
        if queues.count == 1, let run = runs.first {
            endsWritten(in: run.info.queue)
        } else {
            for queue in Set(runs.map(\.info.queue)) { endsWritten(in: queue) }
        }
        tell(runs, became: .job(.completed))
        for run in runs {
            batches.left(by: run)
            observe(run, became: .job(.completed))
        }
    }

    /// The handler's own commit has written it.
    func written(_ run: Run, became: RunOutcome) {
        registry.remove(run.ref)
        batches.left(by: run)
        tell([run], became: became)
        tellOfLetter(of: run, became: became)
        observe(run, became: became)
        announce(run.info, became: became)
    }

    /// The database has answered a report.
    func settled(_ ending: RunEnding, became: RunOutcome) {
        guard let run = registry.remove(ending.run) else { return }
        endsWritten(in: run.info.queue)
        if became == .late, let said = ending.saidToBe { return written(run, became: said) }
        batches.left(by: run)
        switch became {
        case .late:
            run.course.span?.end(became: became)
            guard run.saysLate() else { return }
            observer.observe(
                ending.wanted == .completed ? .lateResult(run.info) : .outrun(run.info))
            return
        case .unwritten: registry.addUnwritten(ending.run)
        case .job, .snoozed, .other: break
        }
        let isFailure =
            ending.wanted == .failed && became != .job(.superseded) && became != .job(.cancelled)
        if isFailure { observer.observe(.failed(run.info, ending.failure)) }
        tell([run], became: became)
        tellOfLetter(of: run, became: became)
        let failure = isFailure || ending.wanted == .held ? ending.failure : nil
        observe(run, became: became, failure: failure)
        announce(run.info, became: became)
    }

    private func endsWritten(in queue: QueueName) {
        queues[queue]?.endsWritten { registry.isOpen($0) }
    }

    private func observe(_ run: Run, became: RunOutcome, failure: (any Error)? = nil) {
        let (span, took) = run.spanAndTime
        span?.end(became: became, failure: failure)
        observer.observe(.ended(run.info, became: became, took: took, failure: failure))
    }

    /// Those who wait for a job's end hear of it, if they have said so. It costs others nothing.
    private func tell(_ runs: [Run], became: RunOutcome) {
        guard case .job(let status) = became, status.isFinished else { return }
        let heard = awaited.take(runs, at: time.now)
        if !heard.isEmpty { store.tell(ended: heard) }
    }

    /// A letter of its may be there to claim, here or elsewhere.
    private func tellOfLetter(of run: Run, became: RunOutcome) {
        guard became == .job(.discarded), let letters = run.handler?.letters else { return }
        store.tell(availableIn: [letters.queue ?? run.info.queue])
    }

    /// A run's end may have made a job pending: its own, or a successor that waited for its key.
    private func announce(_ run: RunInfo, became: RunOutcome) {
        guard became.isToRunAgain || run.key != nil else { return }
        queues.wakeUp([run.queue])
    }
}
