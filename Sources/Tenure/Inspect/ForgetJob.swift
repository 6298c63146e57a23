import TenurePostgres

/// Deletes what is known of a job; waits for its lock.
struct ForgetJob: PostgresStatement {
    static let sql = "SELECT tenure.forget_job($1, $2, $3, $4)"
    let job: JobID
    let cancels: Bool
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(cancels)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult.Result {
        try JobResult.Result(answer: row.decode(0), to: "a forgetting")
    }
}

extension Operator {
    /// Deletes what is known of a job: its payload, result, errors, progress, steps, waits, signals
    /// and its row in history, its letter with all of that, and what others have copied of how it
    /// ended. The audit log says that one was forgotten, by whom, and not which.
    ///
    /// What stays: the key's own numbers, for a day of idleness, and what earlier acts of the audit
    /// log say. A job that was run again is another one. Backups are nobody's here.
    /// - Parameter cancelling: an unfinished one is cancelled first; without, it stays.
    /// - Returns: forgotten, unfinished, running (it, or its letter: it stays) or unknown.
    @discardableResult
    public func forget(
        _ job: JobID, cancelling: Bool = false
    ) async throws -> JobResult.Result {
        try await client.pool.ask(ForgetJob(job: job, cancels: cancelling, doer: doer))[0]
    }

    /// The same for every job that matches and was there when this began, in short transactions
    /// that wait for nobody. Each portion stays done if a later one fails or the task is cancelled.
    /// The audit log has one row of it, which adds up, without the filter.
    /// - Parameter progress: told how many have been looked at so far.
    /// - Returns: how many came to what; `busy` ones were locked by others for several seconds and
    ///   are as they were.
    public func forget(
        all filter: JobFilter, cancelling: Bool = false,
        progress: (_ done: Int) -> Void = { _ in }
    ) async throws -> [JobResult.Result: Int] {
        let note = doer.note()
        let verb = cancelling ? "cancel_and_forget" : "forget"
        return try await inPortions(of: filter, progress) { jobs in
            var results: [JobResult] = []
            for ids in Self.portions(jobs) {
                results += try await client.pool.ask(
                    OperateJobs(verb: verb, jobs: ids, whom: whom, note: note))
            }
            return results
        }
    }
}
