package import Tenure

/// What all runs of a worker share.
struct RunSetting: Sendable {
    let lease: HeldLease
    let observer: any EventObserver
    /// Where handlers run.
    let executor: any TaskExecutor
    /// What runs report, for the next beat.
    let progress: ProgressBoard
}

/// A run as its handler holds it: its right to go on, and the way out through a commit.
package struct RunHandle: Sendable {
    package var job: ClaimedJob { held.job }
    package var right: RunRight { held.right }
    let held: HeldRun
    let setting: RunSetting
    var veil = Veil.none

    /// Throws `CancellationError` when the run's right is gone, by the clock and not only by a
    /// flag: a process that was frozen finds out here.
    package func checkRight() throws {
        if setting.lease.session != held.session { right.end(.leaseExpired) }
        if right.reason != nil { throw CancellationError() }
        try Task.checkCancellation()
    }

    /// For operators; see `JobContext.progress`.
    package func report(_ progress: JobProgress) {
        // What a run says after its end would stand there for what a later one has come to.
        guard right.reason == nil else { return }
        setting.progress.report(veil.progress(progress), of: job.ref)
    }

    /// Ends the job with the writes of `body`, all or nothing; see `JobContext.commit`.
    package func commit<Store: CommitStore>(
        _ outcome: JobOutcome, on store: Store,
        _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws -> JobOutcome {
        let became = try await fenced(store).commit(veil.outcome(outcome), body)
        held.didCommit(as: became)
        return JobOutcome(way: .committed(became: became))
    }

    /// Writes behind the fence that don't end the job.
    package func checkpoint<Store: CommitStore>(
        on store: Store, _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws {
        try await fenced(store).checkpoint(body)
    }

    private func fenced<Store: CommitStore>(_ store: Store) -> FencedCommit<Store> {
        FencedCommit(
            store: store, run: job.run, observer: setting.observer, executor: setting.executor)
    }
}
