import Tenure
import TenurePostgres

/// One run of a job: its handler, and a guard that waits for the end of the right to run.
///
/// The group runs on the control reactor, so that its cancellation can't be held up by handlers;
/// the handler, and all it starts, runs on an executor of its own. Ends when every child has.
struct Attempt: Sendable {
    let right: RunRight
    let timeout: Duration?
    let time: any Timekeeper
    /// Where the handler runs.
    let executor: any TaskExecutor
    /// Looked at on the handler's own thread, just before it starts: it may have waited long.
    let mayStart: @Sendable () -> Bool
    let handler: @Sendable () async throws -> JobOutcome

    private enum Step: Sendable {
        case handled(Result<JobOutcome, any Error>)
        case rightEnded
        case timerEnded
    }

    func run() async -> Result<JobOutcome, any Error> {
        let started = Signal()
        return await withTaskGroup(of: Step.self) { group in
            group.addTask(executorPreference: executor) {
                .handled(await handle(started))
            }
            group.addTask {
                _ = await right.wait()
                return .rightEnded
            }
            if let timeout { group.addTask { await expire(after: timeout, since: started) } }
            return await collect(&group)
        }
    }

    private func collect(_ group: inout TaskGroup<Step>) async -> Result<JobOutcome, any Error> {
        var result: Result<JobOutcome, any Error> = .failure(CancellationError())
        for await step in group {
            switch step {
            case .rightEnded: group.cancelAll()
            case .timerEnded: break
            case .handled(let handled):
                result = handled
                right.release()
                group.cancelAll()
            }
        }
        return result
    }

    private func handle(_ started: Signal) async -> Result<JobOutcome, any Error> {
        guard mayStart(), right.reason == nil else {
            right.end(.leaseExpired)
            return .failure(CancellationError())
        }
        started.notify()
        do { return .success(try await handler()) } catch { return .failure(error) }
    }

    private func expire(after timeout: Duration, since started: Signal) async -> Step {
        await started.wait()
        do {
            try await time.sleep(until: time.now + timeout)
            right.end(.timedOut)
        } catch {
            // The run ended before its time was up.
        }
        return .timerEnded
    }
}
