// docs/decisions/fence-last.md

import Tenure
import TenurePostgres

/// A commit behind the fence: a look first, the handler's own writes, then the fence, last.
package struct FencedCommit<Store: CommitStore>: Sendable {
    let store: Store
    let run: RunInfo
    let observer: any EventObserver
    /// Where the truth about an unknown commit is found out, whatever becomes of the caller.
    let executor: any TaskExecutor
    var settlingDeadline: Duration = .seconds(30)

    private var ref: RunRef { RunRef(job: run.job, fence: run.fence) }

    /// Ends the job with the writes of `body`, all or nothing.
    /// - Returns: what became of the job.
    func commit(
        _ outcome: JobOutcome, _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws -> RunOutcome {
        let became = Lock(outcome.expected)
        let way = outcome.isPutOff ? CommitWay.snooze : .end(as: outcome.expected)
        try await write(way, body) { transaction in
            let finished = try await transaction.finish(run, outcome)
            became.withLock { $0 = finished.became }
            return finished.wakeups
        }
        return became.withLock { $0 }
    }

    /// Writes behind the fence that don't end the job.
    func checkpoint(
        _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws {
        try await write(.checkpoint, body) { try await $0.hold(ref) }
    }

    private func write(
        _ way: CommitWay, _ body: @Sendable (Store.Transaction) async throws -> Void,
        fence: @Sendable (Store.Transaction) async throws -> [Wakeup]
    ) async throws {
        let wakeups = Lock<[Wakeup]>([])
        try await settled(way) {
            try await store.transaction(of: ref) { transaction, became in
                // Gives up early, before the handler's writes cost anything.
                if let became { throw late(became, nil) }
                try await body(transaction)
                let news = try await fence(transaction)
                wakeups.withLock { $0 = news }
            }
        }
        await store.send(wakeups.withLock { $0 })
    }

    // MARK: The truth

    /// Turns whatever a transaction threw into the truth: committed, late, or failed.
    private func settled(
        _ way: CommitWay, _ transaction: () async throws -> Void
    ) async throws {
        do {
            try await transaction()
        } catch let late as LateResult {
            throw late
        } catch let error as PostgresError where error.code == .unknownCommit {
            try await resolve(error, way)
        } catch let error as PostgresError where error.sqlState == "TN001" {
            throw late(LateResult.Became(rawValue: error.detail ?? "") ?? .lost, nil)
        } catch {
            if error is CancellationError { throw error }
            try await blameLateness(for: error)
        }
    }

    /// Finds out, whatever happens to the task meanwhile: a lost connection and the end of the
    /// lease come together, and the handler is to hear the truth.
    private func resolve(_ error: PostgresError, _ way: CommitWay) async throws {
        guard let unknown = error.unknownCommit else { throw error }
        let truth = await withoutCancellation(on: executor) {
            await self.truth(of: unknown, way)
        }
        switch truth {
        case .committed: observer.observe(.unknownCommitResolved(run, committed: true))
        case .rolledBack:
            observer.observe(.unknownCommitResolved(run, committed: false))
            throw PostgresError(
                .connectionLost, "the commit was rolled back: its connection broke", cause: error)
        case .gone:
            observer.observe(.unknownCommitResolved(run, committed: false))
            throw late(.lost, error)
        case .open(let cause):
            // Still unknown, and said so: the error of asking would pass for the commit's own.
            var open = error
            open.cause = cause ?? open.cause
            throw open
        }
    }

    private func truth(
        of unknown: PostgresUnknownCommit, _ way: CommitWay
    ) async -> CommitTruth {
        do {
            switch try await store.outcome(of: unknown, deadline: settlingDeadline) {
            case .committed: return .committed
            case .aborted: return .rolledBack
            case .inProgress: return .open(nil)
            case .ambiguous, .tooOld: break
            }
            // The server crashed, and the id may be another transaction's: the job's rows tell,
            // where the commit would have left its mark on them.
            switch (try await store.find(ref), way) {
            case (.ended(let outcome), .end(let wanted)) where outcome == wanted:
                return .committed
            case (.held, .end), (.held, .snooze): return .rolledBack
            case (.ended, .end), (.putBack, .end), (.reclaimed, .end), (.reclaimed, .snooze):
                return .gone
            default: return .open(nil)
            }
        } catch {
            return .open(error)
        }
    }

    /// A write may have failed *because* the result was late: then that is what is reported.
    private func blameLateness(for error: any Error) async throws -> Never {
        if let error = error as? PostgresError, error.isConnectionLoss { throw error }
        do {
            if let became = try await store.verdict(of: ref) { throw late(became, error) }
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

/// What a commit does to its run: by that its rows can tell afterwards, or can't.
private enum CommitWay: Sendable {
    /// The job is over, with this outcome.
    case end(as: RunOutcome)
    /// The job is pending again, as it would be after any other end.
    case snooze
    /// The run goes on as if nothing had been.
    case checkpoint
}

private enum CommitTruth: Sendable {
    case committed, rolledBack, gone
    /// Nobody could say in time, for the reason that the last question had.
    case open((any Error)?)
}
