import Tenure

/// The way out through a commit.
extension Run {
    /// Ends the job with the writes of `body`, all or nothing; see `JobContext.commit`.
    package func commit<Store: CommitStore>(
        _ outcome: JobOutcome, on store: Store,
        _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws -> JobOutcome {
        try await received()
        let became = try await unlessEnded {
            try await fenced(store).commit(sealed(veil.outcome(outcome)), body)
        }
        return didCommit(as: became)
    }

    /// The same together with others that are ready; see `JobContext.commit(_:by:as:)`.
    package func commit<Store: CommitStore, Value>(
        _ value: Value, _ outcome: JobOutcome, in gatherer: Gatherer<Store, Value>
    ) async throws -> JobOutcome {
        try await received()
        let became = try await unlessEnded {
            try await gatherer.commit(
                self, sealed(veil.outcome(outcome)).logging(loggedLines), value)
        }
        return JobOutcome(way: .committed(became: became, by: ref))
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
        try await received()
        try await unlessEnded { try await fenced(store).checkpoint(body) }
    }

    /// Writes down what its handler has received already.
    func receive<Store: CommitStore>(
        on store: Store, _ body: @Sendable (Store.Transaction) async throws -> Void
    ) async throws {
        try await fenced(store).checkpoint(body)
    }

    /// Returns when all that its handler has received is written down: no commit of the run goes
    /// before that, and not its end. Of a run that has ended its job nothing is to be written.
    /// - Throws: why something was not.
    func received() async throws {
        try await right.withCourse { $0.committedAs == nil ? $0.steps : nil }?.received()
    }

    /// What becomes late by a commit of the same run, beside this one or inside it, is no late
    /// result: it is one commit too many.
    private func unlessEnded<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch  where error is LateResult || error is CancellationError {
            try checkNotEnded()
            throw error
        }
    }

    /// Whether its handler may still commit something.
    /// - Throws: `TenureError` with `.misuse`.
    package func checkNotEnded() throws {
        let course = course
        if let became = course.committedAs {
            throw TenureError(
                .misuse,
                "job \(info.job) has ended already (\(became)), by this run's own commit: return "
                    + "the value that the commit gave, and use context.checkpoint for writes "
                    + "before it")
        }
        if case .waiting(let what) = right.reason {
            throw TenureError(
                .misuse,
                "this run of job \(info.job) has ended, to wait for \(what), and commits nothing "
                    + "any more: let the CancellationError of context.signal and context.sleep "
                    + "through")
        }
        if course.endedAt != nil {
            saidAfterReturn()
            throw TenureError(
                .misuse,
                "the handler of job \(info.job) has returned, and its context commits nothing any "
                    + "more: await it in the handler, and return what it gives")
        }
    }

    private func fenced<Store: CommitStore>(_ store: Store) -> FencedCommit<Store> {
        FencedCommit(
            store: store, run: info, observer: services.observer,
            executor: services.surroundings.handlers, log: { self.loggedLines })
    }
}
