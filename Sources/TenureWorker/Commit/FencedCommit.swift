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

    /// Finds out, whatever happens to the task meanwhile: a lost connection and the end of the
    /// lease come together, and the handler is to hear the truth.
    private func resolve(_ error: PostgresError, endsJob: Bool) async throws {
        guard let unknown = error.unknownCommit else { throw error }
        let truth = await withoutCancellation { await self.truth(of: unknown, endsJob: endsJob) }
        switch truth {
        case .success(.committed): observer.observe(.unknownCommitResolved(run, committed: true))
        case .success(let other):
            observer.observe(.unknownCommitResolved(run, committed: false))
            throw other == .gone ? late(.lost, error) : error
        case .failure(let asking): throw asking
        }
    }

    private enum Truth: Sendable { case committed, rolledBack, gone }

    private func truth(
        of unknown: PostgresUnknownCommit, endsJob: Bool
    ) async -> Result<Truth, any Error> {
        do {
            switch try await pool.resolve(unknown, deadline: settlingDeadline) {
            case .committed: return .success(.committed)
            case .aborted, .inProgress: return .success(.rolledBack)
            case .ambiguous, .tooOld: break
            }
            // The server crashed, and the id may be another transaction's: the job's rows tell.
            switch try await pool.execute(FindRun(run: ref))[0] {
            case .ended: return .success(endsJob ? .committed : .gone)
            case .held: return .success(.rolledBack)
            case .gone: return .success(.gone)
            }
        } catch {
            return .failure(error)
        }
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
