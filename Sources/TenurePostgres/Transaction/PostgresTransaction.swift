/// An open transaction, valid in the scope of `PostgresPool.transaction`.
///
/// Statements of concurrent child tasks run one after the other, in the order they were submitted.
public final class PostgresTransaction: PostgresClient {
    public typealias BeforeCommit = @Sendable (PostgresTransaction) async throws -> Void
    public typealias AfterCommit = @Sendable () async -> Void

    struct State: Sendable {
        var isOpen = true
        /// How many requests were sent.
        var sent = 0
        /// How many there were when something was promised that a crash must not forget.
        var promisedAt: Int?
        /// In the order of their numbers, which go on counting.
        var beforeCommit: [(number: Int, body: BeforeCommit)] = []
        var afterCommit: [(number: Int, body: AfterCommit)] = []
        var lastNumber = 0
        var follower: PostgresFollower?
        var values: [ObjectIdentifier: any Sendable] = [:]
        /// Those that are open, the innermost last.
        var savepoints: [Savepoint] = []
        /// Why it can't be committed any more.
        var spoiled: PostgresError?

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The transaction's id, when it is tracked.
    public let xid: PostgresTransactionID?
    let connection: PostgresConnection
    /// No statement goes on past it.
    let end: Instant?
    let state = Lock(State())

    init(_ connection: PostgresConnection, xid: PostgresTransactionID?, end: Instant?) {
        self.connection = connection
        self.xid = xid
        self.end = end
    }

    /// - Throws: `.misuse` when the transaction is over, and for statements that begin or end a
    ///   transaction or a savepoint: what is gathered until COMMIT would know nothing of it.
    public func perform(
        _ request: PostgresRequest, deadline: Duration? = nil
    ) async throws -> PostgresReply {
        try checkOpen()
        if request.beginsWithControl { throw Self.control }
        if request.beginsWithSetting { throw SessionStatement.refusal }
        state.withLock { $0.sent += 1 }
        let reply = try await connection.perform(request, until: limit(deadline))
        // Within a text of several statements it is seen afterwards.
        if reply.holdsControl {
            spoil(Self.control)
            throw Self.control
        }
        return reply
    }

    /// - Throws: `.misuse` when the transaction is over.
    package func checkOpen() throws {
        guard state.withLock({ $0.isOpen }) else { throw Self.over }
    }

    /// It can't be committed any more, whoever catches the error now.
    func spoil(_ error: PostgresError) {
        state.withLock { $0.spoiled = $0.spoiled ?? error }
    }

    static let over = PostgresError(
        .misuse, "the transaction is over", hint: "Use it only inside the closure it was given to")

    static let control = PostgresError(
        .misuse, "a transaction is not begun, ended or rolled back by statements of its own",
        hint: "Return or throw from its closure, and use savepoint { } for a part of it")

    func limit(_ deadline: Duration? = nil) -> Instant {
        let own = Instant.now + (deadline ?? connection.configuration.statementDeadline)
        return end.map { min($0, own) } ?? own
    }

    /// Runs `body` just before COMMIT, after those registered earlier. It may use the transaction
    /// and register more; when it throws, the transaction is rolled back with that error.
    /// - Throws: `.misuse` when the transaction is over: it would never run.
    public func addBeforeCommit(_ body: @escaping BeforeCommit) throws {
        try state.withLock { state in
            guard state.isOpen else { throw Self.over }
            state.beforeCommit.append((state.nextNumber(), body))
        }
    }

    /// What was written up to here must outlive a crash once it is committed: `synchronous_commit`
    /// is raised from `off` once more right before COMMIT, where anything was sent after this.
    package func keepDurable() { state.withLock { $0.promisedAt = $0.sent } }

    /// A statement that goes out right behind COMMIT.
    ///
    /// - Returns: false when there is one already.
    package func follow(commitWith follower: PostgresFollower) -> Bool {
        state.withLock { state in
            if state.follower != nil { return false }
            state.follower = follower
            return true
        }
    }

    /// Runs `body` after a COMMIT that is known to stand, after those registered earlier.
    /// - Throws: `.misuse` when the transaction is over: it would never run.
    public func addAfterCommit(_ body: @escaping AfterCommit) throws {
        try state.withLock { state in
            guard state.isOpen else { throw Self.over }
            state.afterCommit.append((state.nextNumber(), body))
        }
    }

    /// Gives the transaction a value with what is to be done with it: all of it, or nothing and an
    /// error when the transaction is over.
    package func attach<Value: Sendable>(
        _ value: Value, beforeCommit: @escaping BeforeCommit, afterCommit: @escaping AfterCommit
    ) throws {
        try state.withLock { state in
            guard state.isOpen else { throw Self.over }
            state.values[ObjectIdentifier(Value.self)] = value
            state.beforeCommit.append((state.nextNumber(), beforeCommit))
            state.afterCommit.append((state.nextNumber(), afterCommit))
        }
    }

    /// The value of that type that belongs to the transaction; made on the first call.
    ///
    /// `make` runs under a lock: it must not touch the transaction.
    public func attached<Value: Sendable>(
        _ type: Value.Type = Value.self, orAttach make: () -> Value
    ) -> Value {
        state.withLock { state in
            let key = ObjectIdentifier(type)
            if let value = state.values[key] as? Value { return value }
            let value = make()
            state.values[key] = value
            return value
        }
    }

    /// The value of that type that belongs to the transaction, if there is one.
    public func attached<Value: Sendable>(_ type: Value.Type = Value.self) -> Value? {
        state.withLock { $0.values[ObjectIdentifier(type)] as? Value }
    }

    /// Gives the transaction a value, in place of the one it had of that type.
    public func attach<Value: Sendable>(_ value: Value) {
        state.withLock { $0.values[ObjectIdentifier(Value.self)] = value }
    }
}
