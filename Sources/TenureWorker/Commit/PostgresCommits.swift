package import Tenure
package import TenurePostgres

/// Commits in PostgreSQL.
package struct PostgresCommits: CommitStore {
    private let pool: PostgresPool
    private let notifier: Notifier

    package init(pool: PostgresPool, notifier: Notifier) {
        self.pool = pool
        self.notifier = notifier
    }

    package func transaction(
        of runs: [RunRef], _ body: (PostgresTransaction, LateRuns) async throws -> Void
    ) async throws {
        if runs.count > 1 {
            try await pool.transaction(opening: OpenChunk(runs: runs)) { transaction, verdicts in
                try await body(transaction, lateRuns(verdicts.compactMap(\.self), of: runs))
            }
        } else {
            let look = ReadVerdicts(runs: runs)
            try await pool.transaction(opening: look) { transaction, verdicts in
                try await body(transaction, lateRuns(verdicts, of: runs))
            }
        }
    }

    package func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus {
        try await pool.resolve(unknown, deadline: deadline)
    }

    package func find(_ run: RunRef) async throws -> RunRows {
        try await pool.confirmed(FindRun(run: run))[0]
    }

    package func verdicts(of runs: [RunRef]) async throws -> LateRuns {
        lateRuns(try await pool.execute(ReadVerdicts(runs: runs)), of: runs)
    }

    package func send(_ wakeups: [Wakeup]) async { await notifier.send(wakeups) }

    package func tell(awaited jobs: [JobID]) { notifier.awaitedEnds.add(jobs) }
}

extension PostgresTransaction: CommitTransaction {
    package func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished {
        let followUps = FollowUps(of: self)
        let ref = RunRef(job: run.job, fence: run.fence)
        let rows = try await execute(
            FinishRun(
                run: ref, outcome: outcome,
                also: try EndExtras.json(of: outcome, queue: run.queue),
                followUps: followUps.json))
        followUps.answered(rows.compactMap(\.self))
        var became = outcome.expected
        // What is put off may have expired instead, or given way: worth a look, being seldom.
        if outcome.isPutOff, case .ended(let end) = try await execute(FindRun(run: ref))[0] {
            became = end
        }
        keepDurable()
        return Finished(
            became: became, wakeups: followUps.wakeups, isAwaited: rows.contains { $0 == nil })
    }

    package func finish(_ ends: [RunToEnd]) async throws -> FinishedChunk {
        let followUps = FollowUps(of: self)
        let rows = try await execute(FinishChunk(ends: ends, followUps: followUps.json))
        keepDurable()
        let putOff = Set(ends.filter(\.outcome.isPutOff).map(\.ref))
        let became = rows.map { row -> (RunRef, RunOutcome) in
            let waits = putOff.contains(row.run) && row.became.isToRunAgain
            return (row.run, waits ? .snoozed : row.became)
        }
        return FinishedChunk(
            became: Dictionary(uniqueKeysWithValues: became), wakeups: followUps.wakeups,
            awaited: rows.filter(\.isAwaited).map(\.run.job))
    }

    package func hold(_ run: RunRef, log: String?) async throws -> [Wakeup] {
        let followUps = FollowUps(of: self)
        followUps.answered(
            try await execute(HoldRun(run: run, followUps: followUps.json, log: log)))
        keepDurable()
        return followUps.wakeups
    }
}

/// What a look at runs has said of those that are not held.
private func lateRuns(
    _ verdicts: [(job: JobID, verdict: Verdict)], of runs: [RunRef]
) -> LateRuns {
    var late: LateRuns = [:]
    for run in runs {
        late[run] = verdicts.first { $0.job == run.job }?.verdict.asLate
    }
    return late
}

/// The jobs that a handler enqueued in its commit's transaction: they are added by the commit's
/// last statement, whose subjects are locked together with the job's own.
private struct FollowUps {
    var json: String?
    var wakeups: [Wakeup] = []
    private let pending: PendingEnqueues?

    init(of transaction: PostgresTransaction) {
        pending = transaction.attached(PendingEnqueues.self)
        guard let jobs = pending?.take(), !jobs.isEmpty else { return }
        json = NewJob.json(of: jobs)
        wakeups = Wakeup.after(jobs)
    }

    /// A row for each of them, in their order.
    func answered(_ answers: [EnqueuedJob]) { pending?.answered(answers) }
}
