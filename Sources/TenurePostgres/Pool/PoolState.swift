/// What a pool knows and decides: who waits, what is idle, how many connections there are.
///
/// Waiters are served in the order they came. Connections are made when somebody waits and the
/// bound allows; after a failed attempt one at a time, and not before the pause is over.
struct PoolState<Connection: AnyObject, Waiter: AnyObject> {
    let size: Int
    private(set) var idle: [Connection] = []
    private(set) var lent: [Connection] = []
    private(set) var waiters: [Waiter] = []
    private(set) var connecting = 0
    private(set) var failures = 0
    private(set) var isClosed = false
    /// How often a connection was lent.
    private(set) var lends = 0
    /// A pause after a failed attempt is under way.
    private var isPausing = false

    init(size: Int) { self.size = size }

    /// Nothing is open and nothing is about to be.
    var isEmpty: Bool { idle.isEmpty && lent.isEmpty && connecting == 0 }

    /// An idle connection, the one used last.
    mutating func takeIdle() -> Connection? {
        guard waiters.isEmpty, let connection = idle.popLast() else { return nil }
        lent.append(connection)
        lends += 1
        return connection
    }

    /// - Parameter lends: nothing is taken where a connection was lent since there were so many.
    mutating func takeAllIdle(unlessLentSince lends: Int) -> [Connection] {
        guard lends == self.lends else { return [] }
        defer { idle = [] }
        return idle
    }

    mutating func wait(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func forget(_ waiter: Waiter) { waiters.removeAll { $0 === waiter } }

    /// - Returns: how many connects to start now; they count as started.
    mutating func connectsToStart() -> Int {
        if isClosed || isPausing { return 0 }
        let free = size - idle.count - lent.count - connecting
        let most = failures == 0 ? free : min(free, 1 - connecting)
        let count = max(0, min(most, waiters.count - connecting))
        connecting += count
        return count
    }

    /// A connection has come, new or back from its borrower: for the first waiter, or idle.
    ///
    /// - Returns: the waiter it now belongs to; it may refuse, and `place` is called again.
    mutating func place(_ connection: Connection) -> Waiter? {
        lent.removeAll { $0 === connection }
        guard !waiters.isEmpty else {
            idle.append(connection)
            return nil
        }
        lent.append(connection)
        lends += 1
        return waiters.removeFirst()
    }

    /// Counts as lent until it is placed.
    mutating func connected(_ connection: Connection) {
        connecting -= 1
        failures = 0
        lent.append(connection)
    }

    /// - Parameter isFinal: trying again would fail alike; nobody is kept waiting for that.
    /// - Returns: those to be told.
    mutating func connectFailed(isFinal: Bool) -> [Waiter] {
        connecting -= 1
        failures += 1
        isPausing = true
        guard isFinal else { return [] }
        defer { waiters = [] }
        return waiters
    }

    mutating func pauseEnded() { isPausing = false }

    /// It is gone.
    mutating func remove(_ connection: Connection) {
        idle.removeAll { $0 === connection }
        lent.removeAll { $0 === connection }
    }

    /// - Returns: those to be told, and those to be closed.
    mutating func close() -> (waiters: [Waiter], idle: [Connection]) {
        defer {
            isClosed = true
            waiters = []
            idle = []
        }
        return (waiters, idle)
    }
}

/// How long to wait after a number of failures in a row.
enum Backoff {
    /// 50 ms, doubled each time up to 1 s, of which a random half is taken away: processes that
    /// lost the same server shouldn't come back together. No longer, because it is also how long
    /// nobody works after a failover.
    static func pause(
        after failures: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let most = min(1.0, 0.05 * Double(1 << min(max(failures - 1, 0), 10)))
        return .seconds(Double.random(in: most / 2...most, using: &generator))
    }
}
