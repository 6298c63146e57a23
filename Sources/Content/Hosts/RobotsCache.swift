import Synchronization
import TenureFoundation
import Web

/// What the robots.txt files say that this process has read: each is read once, not for each URL of
/// its host. Which one counts is the database's to say: a newer one has another time.
final class RobotsCache: Sendable {
    struct Entry: Sendable {
        let policy: RobotsPolicy
        /// By the database's clock.
        let fetchedAt: Date
        /// Of the file.
        let bytes: Int
    }

    private struct State {
        var entries: [String: (entry: Entry, turn: UInt64)] = [:]
        var bytes = 0
        var turn: UInt64 = 0

        mutating func drop(_ origin: String) {
            bytes -= entries.removeValue(forKey: origin)?.entry.bytes ?? 0
        }
    }

    private let state = Mutex(State())
    /// A policy takes a few times the memory of its file, if that means harm.
    private static let mostBytes = 16 << 20
    private static let mostHosts = 4096

    var count: Int { state.withLock { $0.entries.count } }

    func policy(of origin: String) -> Entry? {
        state.withLock { state in
            guard let found = state.entries[origin]?.entry else { return nil }
            state.turn &+= 1
            state.entries[origin]?.turn = state.turn
            return found
        }
    }

    /// Those that nobody has asked for the longest make room.
    func keep(_ entry: Entry, of origin: String) {
        state.withLock { state in
            state.drop(origin)
            while state.bytes + entry.bytes > Self.mostBytes
                || state.entries.count >= Self.mostHosts,
                let oldest = state.entries.min(by: { $0.value.turn < $1.value.turn })?.key
            { state.drop(oldest) }
            state.turn &+= 1
            state.entries[origin] = (entry, state.turn)
            state.bytes += entry.bytes
        }
    }
}
