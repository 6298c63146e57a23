public import Logging

/// A bounded number of connections, lent to one call or transaction at a time.
///
/// Connections are made when they are needed, and replaced when they break. While the database is
/// away callers wait up to their deadline; what won't get better by waiting, a wrong password say,
/// is told at once.
public final class PostgresPool: PostgresClient {
    typealias Waiter = OneShot<PostgresConnection>

    struct State {
        var pool: PoolState<PostgresConnection, Waiter>
        var lastError: PostgresError?
        /// Whether it has ever had a connection.
        var hasConnected = false
        var closing: [OneShot<Void>] = []
        /// Who lives by this pool.
        var watchers: [OneShot<Void>] = []
    }

    public let configuration: PostgresConfiguration
    let acquireDeadline: Duration
    let logger: Logger
    let state: Lock<State>
    let absence: AbsenceLog
    /// What calls get once it is closed.
    let whenClosed: PostgresError

    /// - Parameters:
    ///   - size: the most connections there are at a time. Of a pool of less than 1 each call
    ///     throws `.invalidConfiguration`.
    ///   - acquireDeadline: how long a call waits for a connection.
    public init(
        configuration: PostgresConfiguration, size: Int = 8,
        acquireDeadline: Duration = .seconds(5),
        logger: Logger = Logger(label: "tenure.postgres")
    ) {
        self.configuration = configuration
        self.acquireDeadline = acquireDeadline
        self.logger = logger
        whenClosed =
            size < 1
            ? PostgresError(
                .invalidConfiguration, "the pool's size is \(size)", hint: "Give 1 or more")
            : PostgresError(
                .closed, "the pool is closed",
                hint: "Close it last, after all that works on it; to go on, make a new one")
        absence = AbsenceLog("can't connect to the database", logger: logger)
        var pool = PoolState<PostgresConnection, Waiter>(size: max(1, size))
        if size < 1 { _ = pool.close() }
        state = Lock(State(pool: pool))
    }

    /// A pool that never has a connection: each call fails at once.
    /// - Parameters:
    ///   - refusal: what calls get.
    ///   - configuration: what those find who connect past the pool.
    package init(refusal: PostgresError, configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        acquireDeadline = .zero
        whenClosed = refusal
        absence = AbsenceLog("can't connect to the database", logger: logger)
        var pool = PoolState<PostgresConnection, Waiter>(size: 1)
        _ = pool.close()
        state = Lock(State(pool: pool))
    }

    /// Runs the request on a connection of the pool; the deadline counts the wait for it too.
    public func perform(
        _ request: PostgresRequest, deadline: Duration? = nil
    ) async throws -> PostgresReply {
        if request.beginsWithSetting { throw SessionStatement.refusal }
        let deadline = Instant.now + (deadline ?? configuration.statementDeadline)
        while true {
            let connection = try await acquire(until: deadline)
            defer { release(connection) }
            do {
                return try await connection.perform(request, until: deadline)
            } catch let error as PostgresError where error.mayGoElsewhere && .now < deadline {
                continue
            }
        }
    }

    /// Lends a connection for as long as `body` runs.
    ///
    /// It goes back to the pool: session state that `body` sets (SET, LISTEN, advisory locks) is
    /// for `body` to take back. A transaction left open is rolled back with its connection.
    public func withConnection<Result>(
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await acquire(until: .now + acquireDeadline)
        defer { release(connection) }
        return try await body(connection)
    }

    /// Closes what nobody has used for a while. What is needed later is connected anew, and has to
    /// prove anew who it is.
    /// - Parameter lends: what the last call said; nothing is closed where a connection was lent
    ///   since.
    /// - Returns: how often one was lent so far.
    package func closeIdle(unlessLentSince lends: Int) -> Int {
        let (idle, now) = state.withLock { state in
            (state.pool.takeAllIdle(unlessLentSince: lends), state.pool.lends)
        }
        for connection in idle { connection.close() }
        return now
    }

    /// Takes no more calls and waits until the lent connections are back. When the task is
    /// cancelled meanwhile, those are closed under their borrowers. Requests to cancel a statement
    /// that are on their way are waited for too, 5 s at most: after this a process may exit.
    public func close() async {
        await closeConnections()
        await CancelRequests.settle(on: configuration.reactor)
    }

    /// Returns when somebody closes the pool: no call will be served any more.
    /// - Throws: `CancellationError`.
    package func closed() async throws {
        let watcher = OneShot<Void>()
        let isClosed = state.withLock { state in
            if !state.pool.isClosed { state.watchers.append(watcher) }
            return state.pool.isClosed
        }
        if isClosed { return }
        defer { state.withLock { $0.watchers.removeAll { $0 === watcher } } }
        try await watcher.value()
    }

    /// What those say who ran on it.
    package static func closedUnder(_ whom: String) -> PostgresError {
        PostgresError(
            .closed, "the pool was closed while the \(whom) ran on it",
            hint: "Close it after run() has returned; a closed pool doesn't open again")
    }

    private func closeConnections() async {
        let (waiters, idle) = state.withLock { $0.pool.close() }
        for watcher in state.withLock({ $0.watchers }) { watcher.decide(.success(())) }
        for waiter in waiters { waiter.decide(.failure(whenClosed)) }
        for connection in idle { connection.close() }
        let emptied = OneShot<Void>()
        let isEmpty = state.withLock { state in
            if !state.pool.isEmpty { state.closing.append(emptied) }
            return state.pool.isEmpty
        }
        if isEmpty { return }
        do {
            try await emptied.value()
        } catch {
            for connection in state.withLock({ $0.pool.lent }) { connection.close() }
        }
    }
}

extension PostgresError {
    /// It is certain that the server saw nothing of it: another connection may be tried.
    var mayGoElsewhere: Bool { code == .connectionLost && !wasSent }
}
