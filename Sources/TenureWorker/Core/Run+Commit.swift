package import Tenure

/// What all runs of a worker share.
struct RunSetting: Sendable {
    let lease: HeldLease
    let observer: any EventObserver
    /// Where handlers run.
    let executor: any TaskExecutor
    let time: any Timekeeper
    /// What runs report, for the next beat.
    let progress: ProgressBoard
    /// Where their commits are gathered.
    let gatherers = Gatherers()
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

    /// The same together with others that are ready; see `JobContext.commit(_:by:as:)`.
    package func commit<Store: CommitStore, Value>(
        _ value: Value, _ outcome: JobOutcome, in gatherer: Gatherer<Store, Value>
    ) async throws -> JobOutcome {
        let became = try await gatherer.commit(held, veil.outcome(outcome), value)
        return JobOutcome(way: .committed(became: became))
    }

    /// The worker's gatherer of the commits that belong to `owner`; made at the first.
    package func gatherer<Store: CommitStore, Value>(
        of owner: AnyObject, _ bounds: GathererBounds, on store: Store,
        _ write: @escaping Gatherer<Store, Value>.Write
    ) -> Gatherer<Store, Value> {
        setting.gatherers.find(of: owner) {
            Gatherer(
                bounds, on: store, observer: setting.observer, executor: setting.executor,
                time: setting.time, write)
        }
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
