import Tenure

/// The handler, in the task of its slot, under the right to go on.
///
/// The end of the right cancels that task, and with it every child; the run ends when every child
/// has. A task that was cancelled is of no use to another run.
extension Run {
    /// To be called once `right.begin()` has allowed it, in the same task.
    func perform(_ handler: KindHandler) async -> Result<JobOutcome, any Error> {
        let result =
            if let timeout = handler.timeout {
                await call(handler, within: timeout)
            } else {
                await call(handler)
            }
        await right.release()
        return result
    }

    private func call(_ handler: KindHandler) async -> Result<JobOutcome, any Error> {
        do {
            // Most often nothing is between this and the handler.
            let isTraced = services.surroundings.tracer != nil || job.trace != nil
            let outcome =
                isTraced
                ? try await traced { try await handler.run(self) } : try await handler.run(self)
            try await received()
            return .success(outcome)
        } catch {
            // It comes before the run's end, and an error of the handler's before its own. Reason
            // for `try?`: what was not written down is received by a later run.
            try? await received()
            return .failure(error)
        }
    }

    private func call(
        _ handler: KindHandler, within timeout: Duration
    ) async -> Result<JobOutcome, any Error> {
        await withDiscardingTaskGroup { group in
            // Handlers can't hold up the time there.
            group.addTask(executorPreference: services.surroundings.control) {
                await self.expire(after: timeout)
            }
            let result = await call(handler)
            group.cancelAll()
            return result
        }
    }

    private func expire(after timeout: Duration) async {
        let time = services.surroundings.time
        do {
            try await time.sleep(until: time.now + timeout)
            lose(.timedOut)
        } catch {
            // The run ended before its time was up.
        }
    }
}
