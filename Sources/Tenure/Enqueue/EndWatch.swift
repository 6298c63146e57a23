import Logging
import TenurePostgres

/// Hears of jobs' ends for all who wait through one client: one connection listens for them,
/// while there are any and for some seconds more. Whatever it misses is found by looking.
final class EndWatch: Sendable {
    private struct State {
        /// By what is said of them.
        var waiting: [String: [ObjectIdentifier: Signal]] = [:]
        var isListening = false
        var lastLeftAt = ContinuousClock.now
    }

    /// A connection is dear, and who has waited once will wait again.
    private static let linger = Duration.seconds(10)

    private let pool: PostgresPool
    private let logger: Logger
    private let state = Lock(State())

    init(_ pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// From here on the signal is given whenever one of these is said, or may have been missed.
    func add(_ news: Signal, for wakeups: [Wakeup]) {
        let isFirst = state.withLock { state in
            for wakeup in wakeups { state.waiting[wakeup.payload, default: [:]][news.name] = news }
            defer { state.isListening = true }
            return !state.isListening
        }
        // Unstructured because it serves whoever comes while it listens, and nobody in particular.
        if isFirst { Task { await self.listen() } }
    }

    func remove(_ news: Signal, from wakeups: [Wakeup]) {
        state.withLock { state in
            for wakeup in wakeups {
                state.waiting[wakeup.payload]?[news.name] = nil
                if state.waiting[wakeup.payload]?.isEmpty ?? false {
                    state.waiting[wakeup.payload] = nil
                }
            }
            if state.waiting.isEmpty { state.lastLeftAt = .now }
        }
    }

    private func listen() async {
        let listener = PostgresListener(
            configuration: pool.configuration, channels: [Wakeup.endings], logger: logger)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await listener.run()
                } catch {
                    // Only a cancellation ends it: nobody waits any more.
                }
            }
            group.addTask { for await event in listener.events { self.take(event) } }
            group.addTask { await self.waitUntilUnused() }
            group.addTask { await self.waitUntilClosed() }
            await group.next()  // the listener itself goes on whatever happens
            group.cancelAll()
        }
    }

    private func take(_ event: PostgresListenerEvent) {
        let concerned: [Signal] = state.withLock { state in
            switch event {
            case .listening: state.waiting.values.flatMap(\.values)
            case .notification(let notification):
                state.waiting[notification.payload].map { Array($0.values) } ?? []
            case .lost, .deaf: []
            }
        }
        for news in concerned { news.notify() }
    }

    /// Without the pool nobody can look: who listens on would tell nobody, and complain of a
    /// database that may be gone.
    private func waitUntilClosed() async {
        do { try await pool.closed() } catch { return }
        state.withLock { $0.isListening = false }
    }

    /// Whoever comes after the return starts anew.
    private func waitUntilUnused() async {
        while true {
            do { try await PostgresReactor.shared.sleep(for: Self.linger) } catch { return }
            let isUnused = state.withLock { state in
                let isUnused =
                    state.waiting.isEmpty && state.lastLeftAt + Self.linger / 2 <= .now
                if isUnused { state.isListening = false }
                return isUnused
            }
            if isUnused { return }
        }
    }
}

extension Signal {
    fileprivate var name: ObjectIdentifier { ObjectIdentifier(self) }
}
