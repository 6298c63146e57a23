import Tenure
import TenurePostgres
import TenureSystem

/// Reports handlers that ignore their cancellation, and those that run for long without a timeout.
///
/// Nothing inside a process can stop a handler that won't. Where the process has a supervisor, it
/// is left: the other runs get the shutdown's grace first, then it exits, and the supervisor
/// starts a new one.
struct RunWatch: Sendable {
    let core: WorkerCore
    let rule: LeaseRule
    /// Begins an orderly shutdown of all that can still be stopped.
    let stopTheOthers: @Sendable () -> Void
    private static let repeatAfter = Duration.seconds(60)
    /// As `EX_TEMPFAIL` of sysexits.h: start it again.
    static let exitCode: Int32 = 75

    /// Of a short lease there is less time in which to leave before its end.
    private var rest: Duration { min(.seconds(1), core.configuration.lease / 30) }

    private struct Memory {
        /// When each run that has to stop was first seen so.
        var endingSince: [RunRef: ContinuousClock.Instant] = [:]
        var leavingSince: ContinuousClock.Instant?
        var stuck = 0
    }

    func run() async {
        var memory = Memory()
        while !Task.isCancelled {
            let now = core.time.now
            let stuck = look(at: core.registry.all, &memory, now)
            if stuck.count != memory.stuck { core.observer.observe(.stuckNow(stuck.count)) }
            memory.stuck = stuck.count
            leave(stuck, &memory, now)
            do { try await core.time.sleep(until: now + rest) } catch { return }
        }
    }

    /// Looks at every run. Returns how long each has been stuck that has ignored its cancellation
    /// for longer than anyone needs to let go.
    private func look(
        at runs: [Run], _ memory: inout Memory, _ now: ContinuousClock.Instant
    ) -> [Duration] {
        var ending: [RunRef: ContinuousClock.Instant] = [:]
        var stuck: [Duration] = []
        for run in runs {
            let course = run.course
            guard let started = course.startedAt, course.endedAt == nil else { continue }
            guard let reason = run.right.reason else {
                if run.handler?.timeout == nil, !course.saidLong { lookAtLong(run, started, now) }
                continue
            }
            let since = memory.endingSince[run.ref] ?? now
            ending[run.ref] = since
            let age = since.duration(to: now)
            guard age >= rule.stopDelay else { continue }
            stuck.append(age)
            report(run, age: age, reason, now)
        }
        memory.endingSince = ending
        return stuck
    }

    private func report(
        _ run: Run, age: Duration, _ reason: EndReason,
        _ now: ContinuousClock.Instant
    ) {
        if let said = run.course.saidStuckAt, said.duration(to: now) < Self.repeatAfter { return }
        run.saidStuck(at: now)
        core.observer.observe(.stuck(run.info, since: age, reason))
    }

    private func lookAtLong(
        _ run: Run, _ started: ContinuousClock.Instant, _ now: ContinuousClock.Instant
    ) {
        let age = started.duration(to: now)
        guard age >= core.configuration.longRun else { return }
        run.saidLong()
        core.observer.observe(.longWithoutTimeout(run.info, since: age))
    }

    /// Leaves the process when a run has been stuck for the configured time: as soon as only
    /// stuck runs are left, and no later than the grace period allows.
    private func leave(
        _ stuck: [Duration], _ memory: inout Memory, _ now: ContinuousClock.Instant
    ) {
        guard let limit = core.configuration.exitWhenStuckFor,
            let longest = stuck.max(), longest >= limit
        else { return }
        guard let leaving = memory.leavingSince else {
            memory.leavingSince = now
            core.observer.observe(.leaving(stuck: stuck.count, since: longest))
            return stopTheOthers()
        }
        let isOverdue = leaving.duration(to: now) >= core.configuration.grace + rule.stopDelay
        if core.registry.count == stuck.count || isOverdue {
            PostgresConnection.endProcess(Self.exitCode)
        }
    }
}
