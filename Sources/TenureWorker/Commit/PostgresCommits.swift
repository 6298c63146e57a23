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
        of run: RunRef, _ body: (PostgresTransaction, LateResult.Became?) async throws -> Void
    ) async throws {
        try await pool.transaction(opening: ReadVerdicts(runs: [run])) { transaction, verdicts in
            try await body(transaction, verdicts.first?.verdict.asLate)
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

    package func verdict(of run: RunRef) async throws -> LateResult.Became? {
        try await pool.execute(ReadVerdicts(runs: [run])).first?.verdict.asLate
    }

    package func send(_ wakeups: [Wakeup]) async { await notifier.send(wakeups) }
}

extension PostgresTransaction: CommitTransaction {
    package func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished {
        let followUps = FollowUps(of: self)
        let ref = RunRef(job: run.job, fence: run.fence)
        _ = try await execute(
            FinishRun(
                run: ref, outcome: outcome,
                lanes: try LaneChange.json(of: outcome, queue: run.queue),
                followUps: followUps.json))
        var became = outcome.expected
        // What is put off may have expired instead, or given way: worth a look, being seldom.
        if outcome.isPutOff, case .ended(let end) = try await execute(FindRun(run: ref))[0] {
            became = end
        }
        keepDurable()
        return Finished(became: became, wakeups: followUps.wakeups)
    }

    package func hold(_ run: RunRef) async throws -> [Wakeup] {
        let followUps = FollowUps(of: self)
        _ = try await execute(HoldRun(run: run, followUps: followUps.json))
        keepDurable()
        return followUps.wakeups
    }
}

/// The jobs that a handler enqueued in its commit's transaction: they are added by the commit's
/// last statement, whose subjects are locked together with the job's own.
private struct FollowUps {
    var json: String?
    var wakeups: [Wakeup] = []

    init(of transaction: PostgresTransaction) {
        guard let jobs = transaction.attached(PendingEnqueues.self)?.take(), !jobs.isEmpty else {
            return
        }
        json = NewJob.json(of: jobs)
        wakeups = Wakeup.after(jobs)
    }
}
