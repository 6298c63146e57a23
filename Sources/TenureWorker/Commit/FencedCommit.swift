// docs/decisions/fence-last.md

import Tenure
import TenurePostgres

/// A commit behind the fence: a look first, the handler's own writes, then the fence, last.
package struct FencedCommit<Store: CommitStore>: Sendable {
    let store: Store
    let run: RunInfo
    let observer: any EventObserver
    /// Where the truth about an unknown commit is found out.
    let executor: any TaskExecutor
    /// What the run has logged, where that is kept: asked for when its writes are done.
    let log: @Sendable () -> String?
    var settlingDeadline: Duration = .seconds(30)

    private var ref: RunRef { RunRef(job: run.job, fence: run.fence) }

    /// Ends the job with the writes of `body`, all or nothing.
    /// - Returns: what became of the job.
    func commit(
        _ outcome: JobOutcome, _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws -> RunOutcome {
        let became = Lock(outcome.expected)
        let isAwaited = Lock(false)
        try await write(CommitWay(outcome), body) { transaction in
            let finished = try await transaction.finish(run, outcome.logging(log()))
            became.withLock { $0 = finished.became }
            isAwaited.withLock { $0 = finished.isAwaited }
            return finished.wakeups
        }
        if isAwaited.withLock({ $0 }) { store.tell(awaited: [run.job]) }
        return became.withLock { $0 }
    }

    /// Writes behind the fence that don't end the job.
    func checkpoint(
        _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws {
        try await write(.checkpoint, body) { try await $0.hold(ref, log: log()) }
    }

    private func write(
        _ way: CommitWay, _ body: @Sendable (Store.Transaction) async throws -> Void,
        fence: @Sendable (Store.Transaction) async throws -> [Wakeup]
    ) async throws {
        let wakeups = Lock<[Wakeup]>([])
        try await settled(way) {
            try await store.transaction(of: [ref]) { transaction, gone in
                // Gives up early, before the handler's writes cost anything.
                if let became = gone[ref] { throw late(became, nil) }
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

    private func resolve(_ error: PostgresError, _ way: CommitWay) async throws {
        guard let unknown = error.unknownCommit else { throw error }
        let inquiry = CommitInquiry(
            store: store, runs: [(run, way)], observer: observer, executor: executor,
            deadline: settlingDeadline)
        switch await inquiry.truth(of: unknown) {
        case .committed: break
        case .rolledBack(let gone) where gone.isEmpty: throw error.rolledBack
        case .rolledBack: throw late(.lost, error)
        case .open(let cause): throw error.open(cause)
        }
    }

    /// A write may have failed *because* the result was late: then that is what is reported.
    private func blameLateness(for error: any Error) async throws -> Never {
        if let error = error as? PostgresError, error.isConnectionLoss { throw error }
        do {
            if let became = try await store.verdicts(of: [ref])[ref] { throw late(became, error) }
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

extension PostgresError {
    /// A commit whose answer was lost, and of which nothing is there.
    var rolledBack: PostgresError {
        PostgresError(
            .connectionLost, "the commit was rolled back: its connection broke", cause: self)
    }

    /// Still unknown, and said so: the error of asking would pass for the commit's own.
    func open(_ cause: (any Error)?) -> PostgresError {
        var open = self
        open.cause = cause ?? open.cause
        return open
    }
}
