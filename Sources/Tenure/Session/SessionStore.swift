package import TenurePostgres

/// What a session asks of the database. The real one is `PostgresSessionStore`; a simulation
/// brings its own.
package protocol SessionStore: Sendable {
    func open(_ profile: SessionProfile) async throws -> SessionID
    func close(_ session: SessionID) async throws -> Bool
    func beat(
        _ session: SessionID, runs: [RunRef], unknownSince: Fence, news: [ProgressNews],
        deadline: Duration
    ) async throws -> [BeatLine]
    func declareDead(
        _ session: SessionID, watchedBeat: Int64, watcher: SessionID
    ) async throws -> Bool
    func reclaimRuns() async throws -> [ReclaimedRun]
    /// The database's clock was set back. Answers whether nobody had said so before.
    func followClock(
        seenSteps: Int64, back: Duration, finder: SessionID
    ) async throws -> Bool
}

/// Beats go over a connection of their own, on a reactor thread of their own; the rest goes
/// through the pool.
package struct PostgresSessionStore: SessionStore {
    private let beats: PostgresPool
    private let pool: PostgresPool
    private let wakeUp: @Sendable (Set<QueueName>) -> Void

    /// - Parameters:
    ///   - beats: a pool of one connection on the beat's reactor.
    ///   - wakeUp: told, after the commit, of queues that have something to claim. It must not
    ///   wait:   a notification that fails is no failure of the work.
    package init(
        beats: PostgresPool, pool: PostgresPool,
        wakeUp: @escaping @Sendable (Set<QueueName>) -> Void
    ) {
        self.beats = beats
        self.pool = pool
        self.wakeUp = wakeUp
    }

    package func open(_ profile: SessionProfile) async throws -> SessionID {
        try await beats.execute(OpenSession(profile: profile))[0]
    }

    package func close(_ session: SessionID) async throws -> Bool {
        try await beats.execute(CloseSession(session: session))[0]
    }

    package func beat(
        _ session: SessionID, runs: [RunRef], unknownSince: Fence, news: [ProgressNews],
        deadline: Duration
    ) async throws -> [BeatLine] {
        try await beats.execute(
            Beat(session: session, runs: runs, unknownSince: unknownSince, news: news),
            deadline: deadline)
    }

    package func declareDead(
        _ session: SessionID, watchedBeat: Int64, watcher: SessionID
    ) async throws -> Bool {
        try await pool.execute(
            DeclareDead(session: session, watchedBeat: watchedBeat, watcher: watcher))[0]
    }

    package func reclaimRuns() async throws -> [ReclaimedRun] {
        let reclaimed = try await pool.execute(ReclaimRuns())
        wakeUp(Set(reclaimed.map(\.queue)))
        return reclaimed
    }

    package func followClock(
        seenSteps: Int64, back: Duration, finder: SessionID
    ) async throws -> Bool {
        let queues = try await pool.execute(
            FollowClock(seenSteps: seenSteps, back: back, finder: finder))[0]
        wakeUp(Set(queues ?? []))
        return queues != nil
    }
}
