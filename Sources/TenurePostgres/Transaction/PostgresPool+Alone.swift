extension PostgresPool {
    /// Runs one writing statement as a transaction of its own: a single round trip, without BEGIN
    /// and COMMIT around it. Once sent it is waited for, also when the task is cancelled.
    ///
    /// Its outcome can be found out although its id is not known: the server's process that ran
    /// it is, and once that process has ended the statement's own rows tell. That takes a
    /// connection whose process libpq can name.
    ///
    /// - Returns: its rows, and how many it wrote or read; nil when a pooler stands in between,
    ///   which hides the process: nothing was sent then, use a tracked transaction.
    /// - Throws: `.unknownCommit` when the answer was lost, or came with the warning that the
    ///   commit may not have been replicated. The connection is closed then, so that the process
    ///   ends: `resolve` answers `.ambiguous` when it has.
    public func commit<Statement: PostgresStatement>(
        alone statement: Statement, deadline: Duration? = nil
    ) async throws -> (rows: [Statement.Row], count: Int)? {
        let end = Instant.now + (deadline ?? configuration.statementDeadline)
        while true {
            let connection = try await acquire(until: end)
            defer { release(connection) }
            do {
                guard try await connection.isDirect(until: end) else { return nil }
                return try await connection.commit(alone: statement, until: end)
            } catch let error as PostgresError where error.mayGoElsewhere && .now < end {
                continue
            }
        }
    }
}

extension PostgresConnection {
    /// Whether the process that libpq was told of is the one that serves: a pooler tells of one
    /// that isn't there. Asked once.
    func isDirect(until deadline: Instant) async throws -> Bool {
        guard configuration.preparesStatements else { return false }
        if let known = state.withLock({ $0.isDirect }) { return known }
        let reply = try await perform(try PostgresRequest(ReadProcessID()), until: deadline)
        let isDirect = try reply.rows(as: ReadProcessID.self).first == processID
        state.withLock { $0.isDirect = isDirect }
        return isDirect
    }

    func commit<Statement: PostgresStatement>(
        alone statement: Statement, until deadline: Instant
    ) async throws -> (rows: [Statement.Row], count: Int) {
        var request = try PostgresRequest(statement)
        request.isCancellable = false
        do {
            let reply = try await perform(request, until: deadline)
            guard let warning = reply.notices.first(where: \.saysNotReplicated) else {
                return (try reply.rows(as: Statement.self), reply.affected())
            }
            throw unknown("the commit may not have been replicated: \(warning.message)")
        } catch let error as PostgresError where error.leavesCommitUnknown {
            throw unknown("the outcome of \(Statement.name) is unknown", cause: error)
        }
    }

    private func unknown(_ message: String, cause: (any Error)? = nil) -> PostgresError {
        close()
        var error = PostgresError(.unknownCommit, message, cause: cause)
        error.unknownCommit = PostgresUnknownCommit(processID: processID)
        return error
    }
}

/// The process that serves the connection.
struct ReadProcessID: PostgresStatement {
    static let sql = "SELECT pg_backend_pid()"
    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}

/// Whether a process of the server is still there. What it ran is over and visible before it
/// leaves this view; and it is in it whatever the user may see of others.
struct FindProcess: PostgresStatement {
    static let sql = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)"
    let processID: Int32

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(processID) }
    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
