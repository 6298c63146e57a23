import Tenure
import TenurePostgres

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reports handlers that ignore their cancellation, and those that run for long without a timeout.
struct RunWatch: Sendable {
    let core: WorkerCore
    let rule: LeaseRule
    let exitWhenStuckFor: Duration?
    private static let rest = Duration.seconds(1)
    private static let repeatAfter = Duration.seconds(60)

    func run() async {
        var endedSince: [RunRef: ContinuousClock.Instant] = [:]
        while !Task.isCancelled {
            let now = core.time.now
            let running = core.registry.all.filter { $0.startedAt != nil && $0.endedAt == nil }
            var stillEnding: [RunRef: ContinuousClock.Instant] = [:]
            for held in running {
                let ref = RunRef(job: held.info.job, fence: held.info.fence)
                if let reason = held.right.reason {
                    let since = endedSince[ref] ?? now
                    stillEnding[ref] = since
                    look(at: held, ref, since: since.duration(to: now), reason, now)
                } else {
                    lookAtLong(held, ref, now)
                }
            }
            endedSince = stillEnding
            do { try await core.time.sleep(until: now + Self.rest) } catch { return }
        }
    }

    private func look(
        at held: RunRegistry.Held, _ ref: RunRef, since: Duration, _ reason: EndReason,
        _ now: ContinuousClock.Instant
    ) {
        guard since >= rule.stopDelay else { return }
        if held.saidStuckAt.map({ $0.duration(to: now) >= Self.repeatAfter }) ?? true {
            core.registry.update(ref) { $0.saidStuckAt = now }
            core.observer.observe(.stuck(held.info, since: since, reason: "\(reason)"))
        }
        if let limit = exitWhenStuckFor, since >= limit {
            // Nothing inside the process can stop it; its supervisor starts a new one.
            exit(75)
        }
    }

    private func lookAtLong(
        _ held: RunRegistry.Held, _ ref: RunRef, _ now: ContinuousClock.Instant
    ) {
        guard !held.hasTimeout, !held.saidLong, let started = held.startedAt,
            started.duration(to: now) >= core.configuration.longRun
        else { return }
        core.registry.update(ref) { $0.saidLong = true }
        core.observer.observe(.longWithoutTimeout(held.info, since: started.duration(to: now)))
    }
}
