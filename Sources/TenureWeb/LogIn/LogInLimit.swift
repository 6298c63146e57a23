import Synchronization

/// Who may try to log in, and when: by the address and by the name that is tried, and some at a
/// time, for each try costs the database a connection.
final class LogInLimit: Sendable {
    enum Turn: Equatable, Sendable {
        case go
        case wait(Duration)
    }
    enum Outcome { case right, wrong }

    private struct State {
        /// Many may share an address, so that more tries are free.
        var addresses = AttemptLimit(.init(free: 20, longestPause: .seconds(900)))
        /// Somebody else may try a name only to keep its owner out: its pauses stay short.
        var names = AttemptLimit(.init(free: 5, longestPause: .seconds(60)))
        var running = 0
    }
    private let state = Mutex(State())
    private static let most = 4

    /// Each `go` wants an `end`.
    /// - Parameter address: nil for one that isn't known: all of these are one.
    func begin(
        _ name: String, from address: IPAddress?, at now: ContinuousClock.Instant = .now
    ) -> Turn {
        let place = Self.key(address)
        return state.withLock { state in
            guard state.running < Self.most else { return .wait(.seconds(1)) }
            if let pause = state.addresses.begin(place, at: now) { return .wait(pause) }
            if let pause = state.names.begin(name, at: now) {
                state.addresses.takeBack(place, at: now)
                return .wait(pause)
            }
            state.running += 1
            return .go
        }
    }

    func end(
        _ name: String, from address: IPAddress?, _ outcome: Outcome,
        at now: ContinuousClock.Instant = .now
    ) {
        state.withLock { state in
            state.running -= 1
            guard outcome == .right else { return }
            // Who has one role of his own doesn't guess others' faster by it.
            state.addresses.takeBack(Self.key(address), at: now)
            state.names.forget(name)
        }
    }

    private static func key(_ address: IPAddress?) -> String {
        address.map { "\($0.network.bytes)" } ?? ""
    }
}
