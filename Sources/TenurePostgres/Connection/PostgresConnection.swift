import TenureLibpq

/// One connection to PostgreSQL. Requests are served in the order they come.
///
/// Whoever submits to an idle connection sends on its own thread; the reactor receives, and starts
/// the next request itself. Continuations are resumed, and everything that may wait is done,
/// outside the lock.
public final class PostgresConnection: PostgresClient {
    struct State: ~Copyable, Sendable {
        var wire: Wire
        var queue = RequestQueue<Exchange>()
        /// When the connection looks at its deadlines next.
        var alarm: (at: Instant, timer: UInt64)?
        /// A cancelled request must be over by then, or the connection is thrown away.
        var settleBy: Instant?
        /// Why it is closed.
        var end: PostgresError?
        var onClose: [UInt64: @Sendable () -> Void] = [:]
        var lastOnClose: UInt64 = 0
        var onNotification: (@Sendable (PostgresNotification) -> Void)?
        /// See `PostgresUnknownCommit`; the same for as long as the connection lives.
        var incarnation: String?
        /// See `serverProcess(until:)`; nil until it was asked.
        var serverProcess: PostgresServerProcess??
    }

    /// How long a cancelled statement may take to end.
    static let settling = Duration.seconds(1)

    public let configuration: PostgresConfiguration
    let state: Lock<State>

    /// The process that serves it, as `pg_backend_pid()` names it, unless a pooler is in between.
    public let processID: Int32

    /// A pooler is in between: each transaction may run in another process of the server, nothing
    /// is kept from one to the next, and notifications may not arrive.
    public let isPooled: Bool

    /// What a transaction runs at that doesn't say, as the server had it for this user when the
    /// connection was made: `default_transaction_isolation`.
    public let defaultIsolation: PostgresIsolation

    /// The server asked for a password, and took it. One that trusts whoever comes, or knows him by
    /// his certificate or his account on the machine, asks for none.
    package let usedPassword: Bool

    init(
        _ wire: consuming Wire, _ configuration: PostgresConfiguration, _ traits: SessionTraits
    ) {
        self.configuration = configuration
        isPooled = traits.isPooled
        defaultIsolation = traits.isolation
        processID = PQbackendPID(wire.connection)
        usedPassword = PQconnectionUsedPassword(wire.connection) == 1
        state = Lock(State(wire: wire))
    }

    /// Sends a request and waits for the reply.
    ///
    /// A task that is cancelled while its request waits gets `CancellationError` at once and
    /// nothing is sent. While it runs, the statement is cancelled on the server and the call
    /// returns when the server has answered, 1 s later at most: with `CancellationError`, or, for
    /// a statement that succeeded all the same, with its result. Deadlines work alike.
    ///
    /// - Throws: `PostgresError`, `CancellationError`.
    public func perform(
        _ request: PostgresRequest, deadline: Duration? = nil
    ) async throws -> PostgresReply {
        let deadline = Instant.now + (deadline ?? configuration.statementDeadline)
        return try await perform(request, until: deadline)
    }

    /// - Parameter follower: is told in any case.
    func perform(
        _ request: PostgresRequest, until deadline: Instant,
        followedBy follower: PostgresFollower? = nil
    ) async throws -> PostgresReply {
        let exchange = Exchange(request, deadline: deadline)
        let second = follower.map { Exchange($0, deadline: deadline) }
        await withTaskCancellationHandler {
            await withUnsafeContinuation {
                submit(exchange, $0)
                if let second { submit(second) }
            }
        } onCancel: {
            if request.isCancellable { abandon(exchange, .cancelled) }
        }
        if let failure = exchange.failure { throw failure }
        return exchange.takeReply()
    }

    /// Closes at once: what runs or waits ends with `.closed`, what runs on the server may go on.
    public func close() {
        transact { state, effects in
            Self.shut(
                &state, PostgresError(.closed, "the connection was closed"), &effects)
        }
    }

    public var isClosed: Bool { state.withLock { $0.queue.isClosed } }
}

// MARK: - What others in the module ask

extension PostgresConnection {
    /// Runs `body` when the connection is closed or lost, at once when it already is.
    ///
    /// - Returns: what to give to `forgetOnClose`.
    @discardableResult
    func onClose(_ body: @escaping @Sendable () -> Void) -> UInt64 {
        let (isClosed, id) = state.withLock { state in
            state.lastOnClose += 1
            if !state.queue.isClosed { state.onClose[state.lastOnClose] = body }
            return (state.queue.isClosed, state.lastOnClose)
        }
        if isClosed { body() }
        return id
    }

    func forgetOnClose(_ id: UInt64) {
        _ = state.withLock { $0.onClose.removeValue(forKey: id) }
    }

    func onNotification(_ body: @escaping @Sendable (PostgresNotification) -> Void) {
        state.withLock { $0.onNotification = body }
    }

    /// Open, and not inside a transaction that someone has left behind.
    var isReusable: Bool {
        state.withLock { state in
            if state.queue.isClosed { return false }
            let status = PQtransactionStatus(state.wire.connection)
            return status == PQTRANS_IDLE || status == PQTRANS_ACTIVE
        }
    }

    var isInTransaction: Bool {
        state.withLock { state in
            if state.queue.isClosed { return false }
            return PQtransactionStatus(state.wire.connection) != PQTRANS_IDLE
        }
    }

    var hasFailedTransaction: Bool {
        state.withLock { state in
            !state.queue.isClosed
                && PQtransactionStatus(state.wire.connection) == PQTRANS_INERROR
        }
    }

    var incarnation: String? {
        get { state.withLock { $0.incarnation } }
        set { state.withLock { $0.incarnation = newValue } }
    }
}
