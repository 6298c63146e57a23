import FaultSupport
import Synchronization
import Tenure

/// A session's calls to the database, each written down before it is made and after.
final class WatchedSession: SessionStore {
    private let store: any SessionStore
    private let log: LineFile
    private let number = Atomic<Int64>(0)

    init(store: any SessionStore, log: LineFile) {
        self.store = store
        self.log = log
    }

    func open(_ profile: SessionProfile) async throws -> SessionID {
        let sent = bootTime()
        let session = try await store.open(profile)
        log.write([
            ("event", "sessionOpened"), ("session", .integer(session.rawValue)),
            ("sent", .number(sent)),
        ])
        return session
    }

    func close(_ session: SessionID) async throws -> Bool { try await store.close(session) }

    func beat(
        _ session: SessionID, runs: [RunRef], unknownSince: Fence, news: [ProgressNews],
        deadline: Duration
    ) async throws -> [BeatLine] {
        let about: [(String, JSONValue?)] = [
            ("session", .integer(session.rawValue)),
            ("number", .integer(number.add(1, ordering: .relaxed).newValue)),
        ]
        log.write([("event", "beatSent")] + about)
        do {
            let lines = try await store.beat(
                session, runs: runs, unknownSince: unknownSince, news: news,
                deadline: deadline)
            let beat = lines.compactMap { line in
                if case .renewed(let beat) = line { beat } else { Int64?.none }
            }.first
            log.write([("event", "beatAnswered")] + about + [("beat", beat.map { .integer($0) })])
            return lines
        } catch {
            let sqlState = (error as? PostgresError)?.sqlState
            log.write(
                [("event", "beatFailed")] + about + [
                    ("error", .string("\(error)")), ("sqlstate", sqlState.map { .string($0) }),
                ])
            throw error
        }
    }

    func declareDead(
        _ session: SessionID, watchedBeat: Int64, watcher: SessionID
    ) async throws -> Bool {
        log.write([
            ("event", "declaring"), ("session", .integer(session.rawValue)),
            ("beat", .integer(watchedBeat)), ("watcher", .integer(watcher.rawValue)),
        ])
        return try await store.declareDead(session, watchedBeat: watchedBeat, watcher: watcher)
    }

    func reclaimRuns() async throws -> [ReclaimedRun] { try await store.reclaimRuns() }

    func followClock(
        seenSteps: Int64, back: Duration, finder: SessionID
    ) async throws -> Bool {
        try await store.followClock(seenSteps: seenSteps, back: back, finder: finder)
    }
}
