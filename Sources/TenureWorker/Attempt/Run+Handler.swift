import Tenure

/// One run of a job: its handler, in the task of its slot, under the right to go on.
///
/// The end of the right cancels that task, and with it every child; the run ends when every child
/// has. A task that was cancelled is of no use to another run.
struct Attempt: Sendable {
    let right: RunRight
    let timeout: Duration?
    let time: any Timekeeper
    /// Where the timeout is waited for: handlers can't hold it up there.
    let control: any TaskExecutor

    /// Returns false when the right has ended already: nothing may start then.
    func begin() -> Bool { right.begin() }

    /// What `begin` has allowed.
    func run(
        _ handler: @Sendable () async throws -> JobOutcome
    ) async -> Result<JobOutcome, any Error> {
        let result =
            if let timeout { await handle(handler, within: timeout) } else { await handle(handler) }
        await right.release()
        return result
    }

    private func handle(
        _ handler: @Sendable () async throws -> JobOutcome
    ) async -> Result<JobOutcome, any Error> {
        do { return .success(try await handler()) } catch { return .failure(error) }
    }

    private func handle(
        _ handler: @Sendable () async throws -> JobOutcome, within timeout: Duration
    ) async -> Result<JobOutcome, any Error> {
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: control) { await expire(after: timeout) }
            let result = await handle(handler)
            group.cancelAll()
            return result
        }
    }

    private func expire(after timeout: Duration) async {
        do {
            try await time.sleep(until: time.now + timeout)
            right.end(.timedOut)
        } catch {
            // The run ended before its time was up.
        }
    }
}
