/// What operators do: cancel, retry, pause. Every change tells the workers at once.
public struct Operator: Sendable {
    let client: TenureClient
    /// Written beside what was done.
    let whom: String

    /// - Parameter whom: who does it, for those who look later.
    public init(client: TenureClient, as whom: String) {
        self.client = client
        self.whom = whom
    }

    /// Cancels a job: a pending one is over, a running one is told to stop.
    @discardableResult
    public func cancel(_ job: JobID) async throws -> Cancelled {
        try await client.pool.execute(CancelJob(job: job, whom: whom))[0]
    }

    /// Runs a job again: a pending one now; a finished one as a new job. A keyed one gives way to
    /// an unfinished job of its key.
    /// - Returns: the job that will run; nil when there is none of that id.
    public func retry(_ job: JobID) async throws -> EnqueuedJob? {
        let found = try await client.pool.execute(RetryJob(job: job, newID: JobID())).first
        if let found,
            let queue = try await Inspector(pool: client.pool).job(found.id)?.summary.queue
        {
            await wakeUp(queue)
        }
        return found
    }

    /// No job of the queue starts any more; those that run go on.
    public func pause(_ queue: QueueName) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        _ = try await client.pool.execute(PauseQueue(queue: queue, whom: whom))
    }

    /// - Returns: whether it was paused.
    @discardableResult
    public func resume(_ queue: QueueName) async throws -> Bool {
        let wasPaused = try await !client.pool.execute(ResumeQueue(queue: queue)).isEmpty
        if wasPaused { await wakeUp(queue) }
        return wasPaused
    }

    private func wakeUp(_ queue: QueueName) async {
        await client.notifier.send([
            Wakeup(channel: Wakeup.available, payload: queue.rawValue)
        ])
    }
}
