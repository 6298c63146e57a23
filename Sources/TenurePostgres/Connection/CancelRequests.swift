/// The cancel requests of this process that have not come back.
///
/// Each is a connection of its own. PgBouncer (1.18 to 1.24 at least, its issue 801) ends with a
/// FATAL error, for all its clients, when one goes away before it is answered: as happens to a
/// process that cancels a statement and exits.
enum CancelRequests {
    private struct State {
        var running = 0
        var waiting: [OneShot<Void>] = []
    }

    private static let state = Lock(State())

    static func begin() { state.withLock { $0.running += 1 } }

    static func end() {
        let waiting = state.withLock { state in
            state.running -= 1
            defer { if state.running == 0 { state.waiting = [] } }
            return state.running == 0 ? state.waiting : []
        }
        for one in waiting { one.decide(.success(())) }
    }

    /// Returns when all have come back, after 5 s at the latest: a server that has gone silent
    /// never answers. A task that is cancelled waits all the same.
    static func settle(on reactor: PostgresReactor) async {
        let settled = OneShot<Void>()
        let isSettled = state.withLock { state in
            if state.running > 0 { state.waiting.append(settled) }
            return state.running == 0
        }
        if isSettled { return }
        let timer = reactor.schedule(at: .now + .seconds(5)) { settled.decide(.success(())) }
        // Not `value()` on this task, which may be cancelled; nothing but a success is decided.
        _ = await Task { try? await settled.value() }.value
        reactor.cancel(timer)
    }
}
