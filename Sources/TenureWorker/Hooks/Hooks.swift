import Tenure

/// A program's observers, each with the events that wait for it.
struct Hooks: Sendable {
    private let observers: [(observer: any JobObserver, buffer: EventBuffer)]
    private let areOver = Signal()
    private static var mostWaiting: Int { 10_000 }
    /// For what still waits when the worker has ended.
    private static var lastCall: Duration { .seconds(5) }

    init(_ observers: [any JobObserver]) {
        self.observers = observers.map { ($0, EventBuffer(keeping: Self.mostWaiting)) }
    }

    /// What the worker is to tell its events, so that these hear of them too.
    func hearing(what own: any EventObserver) -> any EventObserver {
        observers.isEmpty ? own : HookedObserver(own: own, hooks: self)
    }

    /// Neither waits nor fails.
    func tell(_ event: JobEvent) {
        for (_, buffer) in observers { buffer.add(event) }
    }

    /// Hands events on until `finish`, and what waits then for as long as that may take.
    func run() async {
        if observers.isEmpty { return }
        await withTaskGroup(of: Bool.self) { group in
            for (observer, buffer) in observers {
                group.addTask {
                    while let event = await buffer.next() { await observer.observe(event) }
                    return true
                }
            }
            group.addTask {
                await areOver.wait()
                // Cancelled when all is told before.
                try? await Task.sleep(for: Self.lastCall)
                return false
            }
            var left = observers.count
            while left > 0, await group.next() == true { left -= 1 }
            group.cancelAll()
        }
    }

    func finish() {
        for (_, buffer) in observers { buffer.finish() }
        areOver.notify()
    }
}

/// Lets hooks hear what the worker's own observer is told.
private struct HookedObserver: EventObserver {
    let own: any EventObserver
    let hooks: Hooks

    func observe(_ event: Event) {
        own.observe(event)
        if let event = JobEvent(event) { hooks.tell(event) }
    }

    var hearsOfEachClaim: Bool { true }
}

extension JobEvent {
    /// Nil for what is no run's.
    fileprivate init?(_ event: Event) {
        switch event {
        case .claimedRun(let run): self = .claimed(JobRun(run))
        case .started(let run): self = .started(JobRun(run))
        case .runEnding(let run, let reason): self = .stopping(JobRun(run), reason)
        case .ended(let run, let became, let took, let failure):
            let status: JobStatus? = if case .job(let status) = became { status } else { nil }
            self = .ended(JobRun(run), JobRunEnd(status: status, error: failure, took: took))
        case .lateResult(let run), .outrun(let run): self = .late(JobRun(run))
        case .stuck(let run, let since, let reason):
            self = .stuck(JobRun(run), since: since, reason)
        default: return nil
        }
    }
}
