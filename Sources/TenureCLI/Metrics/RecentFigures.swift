import Synchronization

/// The database's figures, looked up once a second at most and by one look at a time: whoever
/// reaches the metrics port must not be able to keep the database busy.
final class RecentFigures: Sendable {
    private struct State {
        var text = ""
        var at: ContinuousClock.Instant?
        var isLooking = false
    }
    private let state = Mutex(State())
    private let age: Duration
    private let look: @Sendable () async -> String

    init(age: Duration = .seconds(1), look: @escaping @Sendable () async -> String) {
        self.age = age
        self.look = look
    }

    /// While somebody else looks, the figures before: none at the very first.
    func text() async -> String {
        let known = state.withLock { state -> String? in
            if state.isLooking { return state.text }
            if let at = state.at, ContinuousClock.now - at < age { return state.text }
            state.isLooking = true
            return nil
        }
        if let known { return known }
        let text = await look()
        state.withLock { $0 = State(text: text, at: ContinuousClock.now) }
        return text
    }
}
