extension PostgresPool {
    /// Runs `body` in a transaction and commits when it returns.
    ///
    /// It is rolled back when `body` or a hook throws, and when the task was cancelled before
    /// COMMIT was sent; a COMMIT that was sent is waited for.
    ///
    /// - Parameters:
    ///   - tracked: fetch the transaction's id first, in the round trip of BEGIN, so that an
    ///     unknown outcome of COMMIT can be resolved. It makes the transaction a writing one.
    ///   - isolation: the user's default on the server (`default_transaction_isolation`) when nil:
    ///     what a program of its own driver would get. Single statements and a BEGIN of your own
    ///     run at READ COMMITTED, whatever the default. Above it, a transaction that enqueues a
    ///     key, or ends a run, whose jobs have changed since its first statement fails with
    ///     SQLSTATE 40001, and is to be run again from its start.
    ///   - deadline: for the whole; every statement is held to what is left of it.
    /// - Throws: what `body` throws; `.unknownCommit` when the connection was lost, or the deadline
    ///   passed, during COMMIT, or when it ended with the warning that it may not have been
    ///   replicated; `.commitRefused` when the server rolled back instead.
    @discardableResult
    public func transaction<Result>(
        tracked: Bool = false, isolation: PostgresIsolation? = nil, deadline: Duration? = nil,
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        try await transaction(
            until: deadline.map { Instant.now + $0 },
            begin: { try await $0.begin(tracked, isolation, end: $1) },
            body)
    }

    /// Runs `body` in a tracked transaction at READ COMMITTED, as `transaction` does, with the rows
    /// of a statement that goes out in the round trip of BEGIN.
    package func transaction<Opening: PostgresStatement, Result>(
        opening: Opening, _ body: (PostgresTransaction, [Opening.Row]) async throws -> Result
    ) async throws -> Result {
        var rows: [Opening.Row] = []
        return try await transaction(
            until: nil,
            begin: { connection, end in
                try await connection.begin(
                    true, .readCommitted, end: end, opening: StatementCall(opening)
                ) {
                    rows = try $0.rows(as: Opening.self, of: $1)
                }
            },
            { try await body($0, rows) })
    }

    private func transaction<Result>(
        until end: Instant?,
        begin: (PostgresConnection, Instant?) async throws -> PostgresTransaction,
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        while true {
            let connection = try await acquire(until: end ?? .now + acquireDeadline)
            defer { release(connection) }
            let transaction: PostgresTransaction
            do {
                transaction = try await begin(connection, end)
            } catch let error as PostgresError where error.mayGoElsewhere {
                continue
            }
            return try await transaction.run(body)
        }
    }
}

extension PostgresConnection {
    /// Runs `body` in a transaction on this connection; see `PostgresPool.transaction`. Nobody else
    /// may use the connection meanwhile.
    public func transaction<Result>(
        tracked: Bool = false, isolation: PostgresIsolation? = nil, deadline: Duration? = nil,
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        let end = deadline.map { Instant.now + $0 }
        return try await begin(tracked, isolation, end: end).run(body)
    }

    func begin(
        _ tracked: Bool, _ isolation: PostgresIsolation?, end: Instant?,
        opening: StatementCall? = nil,
        read: (borrowing PostgresReply, _ place: Int) throws -> Void = { _, _ in }
    ) async throws -> PostgresTransaction {
        let level = begins(at: isolation).map { " ISOLATION LEVEL \($0.rawValue)" } ?? ""
        var calls = [try StatementCall(sql: "BEGIN\(level)", [])]
        // A pooler's connection outlives the server behind it.
        let asksIncarnation = tracked && (isPooled || incarnation == nil)
        if tracked { calls.append(try StatementCall(ReadTransactionID())) }
        if asksIncarnation { calls.append(try StatementCall(ReadIncarnation())) }
        if let opening { calls.append(opening) }
        let limit = Instant.now + configuration.statementDeadline
        do {
            var request = PostgresRequest(.statements(calls))
            request.begins = true
            let reply = try await perform(request, until: end.map { min($0, limit) } ?? limit)
            let xid = tracked ? try reply.rows(as: ReadTransactionID.self, of: 1).first : nil
            if asksIncarnation {
                incarnation = try reply.rows(as: ReadIncarnation.self, of: 2).first
            }
            if opening != nil { try read(reply, calls.count - 1) }
            return PostgresTransaction(self, xid: xid, end: end)
        } catch {
            await rollBack()
            throw error
        }
    }

    /// What BEGIN has to say: nothing where the session, which is pinned or has it so, says it.
    private func begins(at wanted: PostgresIsolation?) -> PostgresIsolation? {
        let level = wanted ?? defaultIsolation
        return isPooled ? wanted : level == .readCommitted ? nil : level
    }

    /// Never fails: a connection that can't roll back is closed, and the server does it.
    func rollBack() async {
        if isClosed { return }
        do {
            var request = try PostgresRequest(sql: "ROLLBACK", [])
            request.isCancellable = false
            _ = try await perform(request, until: .now + .seconds(5))
        } catch {
            close()
        }
    }
}
