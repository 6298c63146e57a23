public import TenurePostgres

/// Looks at the queue and changes nothing.
public struct Inspector: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    /// The newest jobs first.
    public func jobs(_ filter: JobFilter = JobFilter()) async throws -> [JobSummary] {
        try await pool.execute(ListJobs(filter: filter))
    }

    /// The whole story of a job; nil when there is none of that id, or history has dropped it.
    public func job(_ id: JobID) async throws -> JobDetail? {
        let (found, errors, progress) = try await pool.pipeline(
            ReadJob(id: id), ListAttemptErrors(job: id), ReadProgress(job: id))
        guard var detail = found.first else { return nil }
        detail.errors = errors
        detail.progress = progress.first
        return detail
    }

    /// Every queue that has a row, a job or a live worker, by name.
    public func queues() async throws -> [QueueStatus] { try await pool.execute(ListQueues()) }

    /// The sessions that live, and those that ended with jobs nobody has reclaimed yet.
    /// - Parameter ended: the latest that ended too.
    public func sessions(ended: Bool = false, limit: Int = 200) async throws -> [SessionStatus] {
        try await pool.execute(ListSessions(ended: ended, limit: limit))
    }

    /// How many jobs are held, because their payload can't be read.
    public func heldJobs() async throws -> Int { try await pool.execute(CountHeld())[0] }

    /// The kinds that live workers run.
    public func liveKinds() async throws -> [JobKind] {
        try await pool.execute(ListLiveKinds())
    }

    /// What decides whether the database keeps its promises.
    public func health() async throws -> DatabaseHealth {
        try await pool.execute(ReadHealth())[0]
    }

    /// Transactions that keep the server from cleaning up, the oldest first.
    public func openSnapshots(olderThan age: Duration) async throws -> [OpenSnapshot] {
        try await pool.execute(ListOpenSnapshots(age: age))
    }
}
