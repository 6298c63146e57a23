import TenurePostgres

/// How many jobs of a bulk have been done, and what they have come to.
package typealias BulkProgress = (_ done: Int, _ tally: [JobResult.Result: Int]) -> Void

extension Operator {
    private static let page = 500
    /// Few enough that their locks are held for some milliseconds.
    private static let portion = 100
    static let rounds = 20
    static let pause = Duration.milliseconds(250)

    /// Gives a job up: a pending one is discarded. A running or finished one stays as it is.
    /// - Returns: discarded, running, finished or unknown.
    public func discard(_ job: JobID) async throws -> JobResult.Result {
        try await client.pool.ask(OperateJob(verb: .discard, job: job, doer: doer))[0]
    }

    /// Takes a finished job out of history, with its errors. An unfinished one stays.
    /// - Returns: deleted, unfinished or unknown.
    public func delete(_ job: JobID) async throws -> JobResult.Result {
        try await client.pool.ask(OperateJob(verb: .delete, job: job, doer: doer))[0]
    }

    /// Does a verb to every job that matches and was there when this began, in short transactions
    /// that wait for nobody. Each portion stays done if a later one fails or the task is cancelled.
    /// Finished jobs that have been run again are not run again by it. The audit log has one row of
    /// it, which adds up.
    ///
    /// - Parameter progress: told how many have been done so far.
    /// - Returns: how many came to what; `busy` ones were locked by others for several seconds and
    ///   are as they were.
    public func apply(
        _ verb: JobVerb, toAll filter: JobFilter, progress: (_ done: Int) -> Void = { _ in }
    ) async throws -> [JobResult.Result: Int] {
        try await apply(verb, toAll: filter) { done, _ in progress(done) }
    }

    /// The same, told also how many have come to what so far.
    package func apply(
        _ verb: JobVerb, toAll filter: JobFilter, telling progress: BulkProgress
    ) async throws -> [JobResult.Result: Int] {
        var page = filter
        page.leavesOutRetried = page.leavesOutRetried || verb == .retry
        let note = doer.note(filter: filter.shown)
        return try await inPortions(of: page, progress) { jobs in
            try await apply(verb, jobs, note)
        }
    }

    /// Asks for the jobs that match, page by page, and does something to each.
    func inPortions(
        of filter: JobFilter, _ progress: BulkProgress,
        _ act: ([JobSummary]) async throws -> [JobResult]
    ) async throws -> [JobResult.Result: Int] {
        var page = filter
        page.limit = Self.page
        var tally: [JobResult.Result: Int] = [:]
        var busy: [JobSummary] = []
        var done = 0
        /// - Returns: those that were busy, which are not in the tally.
        func portion(_ jobs: [JobSummary]) async throws -> [JobSummary] {
            let results = try await act(jobs)
            for result in results where result.result != .busy {
                tally[result.result, default: 0] += 1
            }
            let busy = Set(results.filter { $0.result == .busy }.map(\.id))
            return jobs.filter { busy.contains($0.id) }
        }
        while true {
            let jobs = try await client.pool.ask(ListJobs(filter: page))
            guard let last = jobs.last else { break }
            page.before = last.id
            for start in stride(from: 0, to: jobs.count, by: Self.portion) {
                let part = Array(jobs[start..<min(start + Self.portion, jobs.count)])
                busy += try await portion(part)
                done += part.count
                progress(done, tally)
            }
        }
        for _ in 0..<Self.rounds where !busy.isEmpty {
            try await Task.sleep(for: Self.pause)
            busy = try await portion(busy)
            progress(done, tally)
        }
        if !busy.isEmpty { tally[.busy] = busy.count }
        return tally
    }

    private func apply(
        _ verb: JobVerb, _ jobs: [JobSummary], _ note: ActionNote
    ) async throws -> [JobResult] {
        var results: [JobResult] = []
        let isRepeated = { (job: JobSummary) in verb == .retry && job.status.isFinished }
        for ids in Self.portions(jobs.filter(isRepeated).map(\.id)) {
            results += try await client.pool.ask(RepeatJobs(jobs: ids, whom: whom, note: note))
        }
        for ids in Self.portions(jobs.filter { !isRepeated($0) }.map(\.id)) {
            results += try await client.pool.ask(
                OperateJobs(verb: verb, jobs: ids, whom: whom, note: note))
        }
        if verb == .retry { await wakeUp(Set(jobs.map(\.queue))) }
        let told = results.filter { $0.result == .cancelling }
        if !told.isEmpty { await client.notifier.send(told.map { .ofJob($0.id) }) }
        return results
    }

    static func portions(_ jobs: [JobID]) -> [[JobID]] {
        stride(from: 0, to: jobs.count, by: portion).map { start in
            Array(jobs[start..<min(start + portion, jobs.count)])
        }
    }
}
