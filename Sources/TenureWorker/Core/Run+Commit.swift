import Tenure

/// The way out through a commit.
extension Run {
    /// Ends the job with the writes of `body`, all or nothing; see `JobContext.commit`.
    package func commit<Store: CommitStore>(
        _ outcome: JobOutcome, on store: Store,
        _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws -> JobOutcome {
        let became = try await fenced(store).commit(veil.outcome(outcome), body)
        didCommit(as: became)
        return JobOutcome(way: .committed(became: became))
    }

    /// The same together with others that are ready; see `JobContext.commit(_:by:as:)`.
    package func commit<Store: CommitStore, Value>(
        _ value: Value, _ outcome: JobOutcome, in gatherer: Gatherer<Store, Value>
    ) async throws -> JobOutcome {
        let became = try await gatherer.commit(self, veil.outcome(outcome), value)
        return JobOutcome(way: .committed(became: became))
    }

    /// The worker's gatherer of the commits that belong to `owner`; made at the first.
    package func gatherer<Store: CommitStore, Value>(
        of owner: AnyObject, _ bounds: GathererBounds, on store: Store,
        _ write: @escaping Gatherer<Store, Value>.Write
    ) -> Gatherer<Store, Value> {
        services.part(of: owner) {
            Gatherer(
                bounds, on: store, observer: services.observer,
                executor: services.surroundings.handlers, time: services.surroundings.time, write)
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
            store: store, run: info, observer: services.observer,
            executor: services.surroundings.handlers)
    }
}
