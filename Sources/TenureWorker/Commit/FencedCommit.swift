import Tenure
import TenurePostgres

/// A commit behind the fence: a look first, the handler's own writes, then the fence, last.
struct FencedCommit: Sendable {
    let pool: PostgresPool
    let notifier: Notifier
    let run: RunInfo
    let observer: any EventObserver
    var settlingDeadline: Duration = .seconds(30)

    private var ref: RunRef { RunRef(job: run.job, fence: run.fence) }

    /// Ends the job with the writes of `body`, all or nothing.
    func commit(
        _ outcome: JobOutcome, _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws {
        let wakeups = Lock<[Wakeup]>([])
        try await settled(endsJob: true) {
            try await pool.transaction(tracked: true) { transaction in
                try await look(transaction)
                try await body(transaction)
                let followUps = FollowUps(of: transaction)
                wakeups.withLock { $0 = followUps.wakeups }
                _ = try await transaction.execute(
                    FinishRun(run: ref, outcome: outcome, followUps: followUps.json))
            }
        }
        await notifier.send(wakeups.withLock { $0 })
    }

    /// Writes behind the fence that don't end the job.
    func checkpoint(
        _ body: @Sendable (PostgresTransaction) async throws -> Void
    ) async throws {
        let wakeups = Lock<[Wakeup]>([])
        try await settled(endsJob: false) {
            try await pool.transaction(tracked: true) { transaction in
                try await look(transaction)
                try await body(transaction)
                let followUps = FollowUps(of: transaction)
                wakeups.withLock { $0 = followUps.wakeups }
                _ = try await transaction.execute(HoldRun(run: ref, followUps: followUps.json))
            }
        }
        await notifier.send(wakeups.withLock { $0 })
    }

    /// Gives up early, before the handler's writes cost anything.
    private func look(_ transaction: PostgresTransaction) async throws {
        if let became = try await transaction.execute(ReadVerdicts(runs: [ref])).first {
            throw late(became, nil)
        }
    }

    /// Turns whatever a transaction threw into the truth: committed, late, or failed.
    private func settled(
        endsJob: Bool, _ transaction: () async throws -> Void
    ) async throws {
        do {
            try await transaction()
        } catch let late as LateResult {
            throw late
        } catch let error as PostgresError where error.code == .unknownCommit {
            try await resolve(error, endsJob: endsJob)
        } catch let error as PostgresError where error.sqlState == "TN001" {
            throw late(LateResult.Became(rawValue: error.detail ?? "") ?? .lost, nil)
        } catch {
            if error is CancellationError { throw error }
            try await blameLateness(for: error)
        }
    }

    private func resolve(_ error: PostgresError, endsJob: Bool) async throws {
        guard let unknown = error.unknownCommit else { throw error }
        switch try await pool.resolve(unknown, deadline: settlingDeadline) {
        case .committed: observer.observe(.unknownCommitResolved(run, committed: true))
        case .ambiguous, .tooOld: try await lookAtRun(error, endsJob: endsJob)
        case .aborted, .inProgress:
            observer.observe(.unknownCommitResolved(run, committed: false))
            throw error
        }
    }

    /// The server crashed, and the transaction's id may be another's: the job's own rows tell.
    private func lookAtRun(_ error: PostgresError, endsJob: Bool) async throws {
        let truth = try await pool.execute(FindRun(run: ref))[0]
        let committed = endsJob && truth == .ended
        observer.observe(.unknownCommitResolved(run, committed: committed))
        if committed { return }
        throw truth == .gone ? late(.lost, error) : error
    }

    /// A write may have failed *because* the result was late: then that is what is reported.
    private func blameLateness(for error: any Error) async throws -> Never {
        if let error = error as? PostgresError, error.isConnectionLoss { throw error }
        do {
            if let became = try await pool.execute(ReadVerdicts(runs: [ref])).first {
                throw late(became, error)
            }
        } catch let late as LateResult {
            throw late
        } catch _ as PostgresError {
            // Can't be asked now. The write's own error is the one worth knowing.
        }
        throw error
    }

    private func late(_ became: LateResult.Became, _ cause: (any Error)?) -> LateResult {
        LateResult(job: run.job, fence: run.fence, became: became, cause: cause)
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
