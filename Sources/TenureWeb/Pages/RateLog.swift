import Synchronization
import Tenure
import TenureFoundation

/// How much has happened a second, for as long as somebody looks: two readings of the server's own
/// counters make a rate.
final class RateLog: Sendable {
    struct Rate: Sendable, Encodable {
        let at: Date
        let enqueued: Double
        let ended: Double
        let failedAttempts: Double
        let discarded: Double
    }
    private struct State {
        var last: Activity?
        var rates: [Rate] = []
    }
    private let state = Mutex(State())
    private static let most = 180
    /// The counters are up to a second old: nearer readings say little.
    private static let leastPause = 0.9
    /// After a pause the numbers of before are no part of one line.
    private static let longestPause = 30.0

    /// The newest last.
    func rates(reading inspector: Inspector) async throws -> [Rate] {
        let now = try await inspector.activity()
        return state.withLock { state in
            guard let last = state.last else {
                state.last = now
                return []
            }
            let pause = now.at.timeIntervalSince(last.at)
            if pause < Self.leastPause { return state.rates }
            state.last = now
            // The counters begin anew when the server does.
            guard pause < Self.longestPause, now.enqueued >= last.enqueued, now.ended >= last.ended
            else {
                state.rates = []
                return []
            }
            func rate(_ number: KeyPath<Activity, Int>) -> Double {
                max(0, Double(now[keyPath: number] - last[keyPath: number]) / pause)
            }
            state.rates.append(
                Rate(
                    at: now.at, enqueued: rate(\.enqueued), ended: rate(\.ended),
                    failedAttempts: rate(\.failedAttempts), discarded: rate(\.discarded)))
            if state.rates.count > Self.most { state.rates.removeFirst() }
            return state.rates
        }
    }
}
