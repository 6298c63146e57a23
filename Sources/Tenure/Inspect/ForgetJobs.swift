import TenureFoundation
import TenurePostgres

/// Deletes what is known of jobs. Waits for nobody: what is locked is busy.
struct ForgetJobs: PostgresStatement {
    static let sql = "SELECT f.id, f.became FROM tenure.forget_jobs($1, $2, $3, $4) AS f"
    let jobs: [JobID]
    let cancels: Bool
    let whom: String?
    let note: ActionNote

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.uuid))
        try parameters.append(cancels)
        try parameters.append(whom: whom)
        try parameters.append(note: note)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult {
        JobResult(
            id: JobID(try row.decode(0, as: UUID.self)),
            result: try JobResult.Result(answer: row.decode(1), to: "a forgetting"), newID: nil)
    }
}

extension Operator {
    /// Deletes what is known of jobs: their payloads, results, errors, progress, steps, waits,
    /// signals and rows in history, their letters with all of that, and what others have copied of
    /// how they ended. The audit log says how many were forgotten, by whom, and not which.
    ///
    /// Of a job that history has dropped it deletes what is left. What stays: the key's own
    /// numbers, for a day of idleness, and what earlier acts of the audit log say. A job that was
    /// run again is another one. Backups are nobody's here.
    /// - Parameter cancelling: unfinished ones are cancelled first; without, they stay.
    /// - Returns: for each, in order of the ids: forgotten; unfinished or running (it, or its
    ///   letter), as it was; unknown; or busy: somebody's open transaction had to do with it for
    ///   several seconds, and it is as it was.
    @discardableResult
    public func forget(
        _ jobs: [JobID], cancelling: Bool = false
    ) async throws -> [JobResult] {
        let note = doer.note()
        var results: [JobID: JobResult.Result] = [:]
        var left = jobs
        for round in 0...Self.rounds where !left.isEmpty {
            if round > 0 { try await Task.sleep(for: Self.pause) }
            for result in try await forget(left, cancelling, note) {
                results[result.id] = result.result
            }
            left = left.filter { results[$0] == .busy }
        }
        return results.map { JobResult(id: $0.key, result: $0.value, newID: nil) }
            .sorted { $0.id < $1.id }
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
        try await forget(all: filter, cancelling: cancelling) { done, _ in progress(done) }
    }

    /// The same, told also how many have come to what so far.
    package func forget(
        all filter: JobFilter, cancelling: Bool, telling progress: BulkProgress
    ) async throws -> [JobResult.Result: Int] {
        let note = doer.note()
        return try await inPortions(of: filter, progress) { jobs in
            try await forget(jobs.map(\.id), cancelling, note)
        }
    }

    private func forget(
        _ jobs: [JobID], _ cancels: Bool, _ note: ActionNote
    ) async throws -> [JobResult] {
        var results: [JobResult] = []
        for ids in Self.portions(jobs) {
            results += try await client.pool.ask(
                ForgetJobs(jobs: ids, cancels: cancels, whom: whom, note: note))
        }
        return results
    }
}
