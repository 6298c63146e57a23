extension PostgresPool {
    /// Runs `body` in a transaction and commits when it returns.
    ///
    /// It is rolled back when `body` or a hook throws, and when the task was cancelled before
    /// COMMIT was sent; a COMMIT that was sent is waited for.
    ///
    /// - Parameters:
    ///   - tracked: fetch the transaction's id first, in the round trip of BEGIN, so that an
    ///     unknown outcome of COMMIT can be resolved. It makes the transaction a writing one.
    ///   - isolation: the server's default when nil.
    ///   - deadline: for the whole; every statement is held to what is left of it.
    /// - Throws: what `body` throws; `.unknownCommit` when the connection was lost, or the deadline
    ///   passed, during COMMIT, or when it ended with the warning that it may not have been
    ///   replicated; `.commitRefused` when the server rolled back instead.
    public func transaction<Result>(
        tracked: Bool = false, isolation: PostgresIsolation? = nil, deadline: Duration? = nil,
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        let end = deadline.map { Instant.now + $0 }
        while true {
            let connection = try await acquire(until: end ?? .now + acquireDeadline)
            defer { release(connection) }
            let transaction: PostgresTransaction
            do {
                transaction = try await connection.begin(tracked, isolation, end: end)
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
        _ tracked: Bool, _ isolation: PostgresIsolation?, end: Instant?
    ) async throws -> PostgresTransaction {
        let level = isolation.map { " ISOLATION LEVEL \($0.rawValue)" } ?? ""
        var calls = [try StatementCall(sql: "BEGIN\(level)", [])]
        // A pooler's connection outlives the server behind it.
        let asksIncarnation = tracked && (isPooled || incarnation == nil)
        if tracked { calls.append(try StatementCall(ReadTransactionID())) }
        if asksIncarnation { calls.append(try StatementCall(ReadIncarnation())) }
        let limit = Instant.now + configuration.statementDeadline
        do {
            let request = PostgresRequest(.statements(calls))
            let reply = try await perform(request, until: end.map { min($0, limit) } ?? limit)
            let xid = tracked ? try reply.rows(as: ReadTransactionID.self, of: 1).first : nil
            if asksIncarnation {
                incarnation = try reply.rows(as: ReadIncarnation.self, of: 2).first
            }
            return PostgresTransaction(self, xid: xid, end: end)
        } catch {
            await rollBack()
            throw error
        }
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
