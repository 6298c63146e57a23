import Tenure

/// A process's way to its session, over the network.
struct SimulatedSessions: SessionStore {
    let process: SimulatedProcess
    let network: Network
    let oracle: Oracle

    func open(_ profile: SessionProfile) async throws -> SessionID {
        let sent = process.clock.reading
        let id = try await network.call(process, "open") {
            $0.openSession(
                lease: profile.lease.length, release: profile.version,
                saysBegun: profile.saysBegun)
        }
        oracle.acknowledged(process, session: id, sent: sent)
        return SessionID(id)
    }

    func close(_ session: SessionID) async throws -> Bool {
        try await network.call(process, "close") { $0.closeSession(session.rawValue) }
    }

    func beat(
        _ session: SessionID, runs: [RunRef], unknownSince: Fence, news _: [ProgressNews],
        deadline: Duration
    ) async throws -> [BeatLine] {
        let sent = process.clock.reading
        let lines = try await network.call(
            process, "beat", deadline: deadline.wholeNanoseconds
        ) { $0.beat(session.rawValue, runs: runs, unknownSince: unknownSince) }
        let isRenewed = lines.contains { if case .renewed = $0 { true } else { false } }
        if isRenewed { oracle.acknowledged(process, session: session.rawValue, sent: sent) }
        return lines
    }

    func declareDead(
        _ session: SessionID, watchedBeat: Int64, watcher: SessionID
    ) async throws -> Bool {
        try await network.call(process, "dead") {
            $0.declareDead(session.rawValue, watchedBeat: watchedBeat)
        }
    }

    func followClock(
        seenSteps: Int64, back: Duration, finder: SessionID
    ) async throws -> Bool {
        try await network.call(process, "clock") {
            $0.followClock(seenSteps: seenSteps, back: back.wholeNanoseconds)
        }
    }

    func reclaimRuns() async throws -> [ReclaimedRun] {
        try await network.call(process, "reclaim") { $0.reclaimRuns() }
    }
}
