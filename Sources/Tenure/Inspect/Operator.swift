/// What operators do: cancel, retry, pause. Every change tells the workers at once.
public struct Operator: Sendable {
    let client: TenureClient
    /// Written beside what was done.
    let whom: String
    let doer: Doer

    /// - Parameters:
    ///   - whom: who does it, for those who look later.
    ///   - reason: why, for the audit log (``Inspector/actions(_:)``): 1024 characters of it.
    public init(client: TenureClient, as whom: String, because reason: String? = nil) {
        self.client = client
        self.whom = whom
        doer = Doer(whom, from: client.source, because: reason)
    }

    /// Cancels a job: a pending one is over, a running one is told to stop.
    /// - Returns: cancelled, cancelling, finished or unknown.
    @discardableResult
    public func cancel(_ job: JobID) async throws -> JobResult.Result {
        let became = try await client.pool.ask(CancelJob(job: job, doer: doer))[0]
        if became == .cancelling { await client.notifier.send([.ofJob(job)]) }
        return became
    }

    /// Runs a job again: a pending one now; a finished one as a new job. A keyed one gives way to
    /// an unfinished job of its key, and a finished one that has been run again to that. One that
    /// waited for other jobs waits for them again, or for those that were run in their stead.
    /// - Parameter again: run a finished one once more, also if it has been run again.
    /// - Returns: the job that will run, or has run; nil when there is none of that id.
    public func retry(_ job: JobID, again: Bool = false) async throws -> EnqueuedJob? {
        let found = try await client.pool.ask(
            RetryJob(job: job, newID: JobID(), again: again, doer: doer)
        ).first
        guard let found else { return nil }
        // Reason for `try?`: it is done. Who is not woken looks by himself, a little later.
        let next = try? await Inspector(pool: client.pool).job(found.id)
        if let queue = next?.summary.queue { await wakeUp([queue]) }
        return found
    }

    /// No job of the queue starts any more; those that run go on.
    public func pause(_ queue: QueueName) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        _ = try await client.pool.change(
            PauseQueue(queue: queue, whom: whom),
            noted: doer.action("pause", "queue", ["name": .text(queue.rawValue)]))
    }

    /// - Returns: whether it was paused.
    @discardableResult
    public func resume(_ queue: QueueName) async throws -> Bool {
        let wasPaused = try await !client.pool.change(
            ResumeQueue(queue: queue),
            noted: doer.action("resume", "queue", ["name": .text(queue.rawValue)])
        ).isEmpty
        if wasPaused { await wakeUp([queue]) }
        return wasPaused
    }

    /// Sets the most jobs of a queue that may run at a time over all workers; nil takes the limit
    /// away. Exact from its return on: those that run above it go on.
    /// - Throws: `PostgresError` with SQLSTATE 55P03 when claims leave no moment for it.
    public func limit(_ queue: QueueName, to most: Int?) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        if let most { try JobLimits.check(most, of: "limit", in: 1...1_000_000) }
        _ = try await client.pool.ask(LimitQueue(queue: queue, most: most, doer: doer))
        await wakeUp([queue])
    }

    /// Sets how many jobs of a queue start in a time, over all workers; nil takes the rate away. It
    /// counts beside the limits and rates of the queue's lanes. Exact from its return on: in any
    /// span of time there are no more starts than the burst and what the rate brings, by the
    /// database's clock. Jobs of such a queue are not claimed ahead of free slots.
    /// - Throws: `TenureError` for a rate that there is not (``Rate``); `PostgresError` with
    ///   SQLSTATE 55P03 when claims leave no moment for it.
    public func setRate(of queue: QueueName, to rate: Rate?) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        if let rate { try JobLimits.check(rate, of: "rate") }
        _ = try await client.pool.ask(RateQueue(queue: queue, rate: rate, doer: doer))
        await wakeUp([queue])
    }

    /// Sets after how long a queue's less urgent jobs go to its front; nil: never, as it is at
    /// first.
    ///
    /// The leading coordinator gives those that are due for so long the priority of the most urgent
    /// that wait, once a minute, a hundred at a time; they start behind what is due there already,
    /// and that moment is their run time from then on. Jobs in lanes age by
    /// `CoordinatorConfiguration.lanePatience`.
    /// - Parameter patience: 1 second to 365 days.
    /// - Throws: `TenureError` with `.invalidJob` for another.
    public func setAgeing(of queue: QueueName, after patience: Duration?) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        if let patience, !(.seconds(1) ... .seconds(365 * 86_400)).contains(patience) {
            throw TenureError(
                .invalidJob, "the patience is \(patience); give 1 second to 365 days, or nil")
        }
        _ = try await client.pool.ask(SetAgeing(queue: queue, patience: patience, doer: doer))
    }

    /// Asks a session's process to end in good order: it learns it with its next beat.
    /// - Returns: whether it was alive.
    @discardableResult
    public func stop(_ session: SessionID) async throws -> Bool {
        try await !client.pool.change(
            StopSession(session: session, whom: whom),
            noted: doer.action("stop", "session", ["name": .whole(session.rawValue)])
        ).isEmpty
    }

    func wakeUp(_ queues: Set<QueueName>) async {
        await client.notifier.send(queues.map(Wakeup.available(in:)))
    }
}
