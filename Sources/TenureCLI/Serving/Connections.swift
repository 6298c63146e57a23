import NIOCore
import Synchronization

/// The open connections of one server, bounded.
///
/// Where a bound only stops accepting, whoever fills it shuts out everybody else, a readiness probe
/// first of all. Here the newest always comes in, and the one that has been idle the longest goes;
/// if all are being answered, the one that takes the longest.
final class Connections: Sendable {
    private struct Entry {
        let channel: any Channel
        var isBusy = false
        /// When it became what it is, as a count of all such moments.
        var since: UInt64
    }
    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var moments: UInt64 = 0
        var isClosed = false

        /// The one to go.
        func longest() -> Entry? {
            open.values.min { ($0.isBusy ? 1 : 0, $0.since) < ($1.isBusy ? 1 : 0, $1.since) }
        }
    }
    private let bound: Int
    private let state = Mutex(State())

    init(atMost bound: Int) { self.bound = bound }

    func add(_ channel: any Channel) {
        let leaving = state.withLock { state -> (any Channel)? in
            if state.isClosed { return channel }
            let oldest = state.open.count < bound ? nil : state.longest()?.channel
            if let oldest { state.open[ObjectIdentifier(oldest)] = nil }
            state.moments += 1
            state.open[ObjectIdentifier(channel)] = Entry(channel: channel, since: state.moments)
            return oldest
        }
        leaving?.close(promise: nil)
    }

    /// A request has come, or its answer has gone.
    func mark(_ channel: any Channel, busy: Bool) {
        state.withLock { state in
            state.moments += 1
            let since = state.moments
            state.open[ObjectIdentifier(channel)]?.isBusy = busy
            state.open[ObjectIdentifier(channel)]?.since = since
        }
    }

    func remove(_ channel: any Channel) {
        state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
    }

    /// Closes all there are, and whatever still comes.
    func closeAll() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.open = [:] }
            return state.open.values.map(\.channel)
        }
        for channel in all { channel.close(promise: nil) }
    }
}
