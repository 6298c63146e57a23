extension TenureClient {
    /// Waits for a job to complete, and reads what it completed with.
    ///
    /// Costs jobs that nobody waits for nothing: the wait is told to the workers, and whichever
    /// ends the job tells back. Where notifications don't come through, the job is looked at,
    /// first after 10 ms, then more and more rarely, at least once a second. Any number of waits
    /// share one more connection per client, which goes some seconds after the last.
    ///
    /// - Parameters:
    ///   - type: what the handler gave to `.completed(result:)`. Optional, where it may have
    ///     completed with nothing.
    ///   - deadline: how long to wait, on this process's continuous clock. Zero only looks. A
    ///     database that is away is waited for, too; an answer from it may make it a second more.
    /// - Throws: `TenureError`: `.expired`, `.discarded`, `.cancelled`, `.superseded`, with why,
    ///   when it ended otherwise; `.unreadableResult`, `.unknownKey`, `.notSealed`, `.brokenSeal`;
    ///   and as `end(of:deadline:)`.
    public func result<Result: Decodable & Sendable>(
        of job: JobID, as type: Result.Type = Result.self, deadline: Duration = .seconds(30)
    ) async throws -> Result {
        try await end(of: job, deadline: deadline).decoded(as: type)
    }

    /// Waits until a job has ended, however it does; see `result(of:as:deadline:)`.
    ///
    /// A job that is to be tried again, or is put off, has not ended; nor has, until the deadline,
    /// the job whose own handler waits for it. The job itself is left as it is, also when the
    /// wait ends without it.
    /// - Throws: `TenureError` with `.deadlineExceeded`; `.notKept`, when it ended during the wait
    ///   in a queue that keeps no completed jobs; `.notFound`, when there is none of that id at
    ///   the first look, or history has dropped it. `CancellationError` when the task is
    ///   cancelled. `PostgresError` when the database refuses the question.
    public func end(of job: JobID, deadline: Duration = .seconds(30)) async throws -> JobEnd {
        try await EndWait(for: job, client: self, deadline: deadline).run().opened(by: seals)
    }
}
