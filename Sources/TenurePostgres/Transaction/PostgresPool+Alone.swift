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
    ///   ends; `resolve` ends one that has not noticed, and answers `.ambiguous` when it is gone.
    public func commit<Statement: PostgresStatement>(
        alone statement: Statement, deadline: Duration? = nil
    ) async throws -> (rows: [Statement.Row], count: Int)? {
        try await commit(alone: statement, followedBy: nil, deadline: deadline)
    }

    /// - Parameter follower: goes with the first try.
    package func commit<Statement: PostgresStatement>(
        alone statement: Statement, followedBy follower: PostgresFollower?,
        deadline: Duration? = nil
    ) async throws -> (rows: [Statement.Row], count: Int)? {
        var follower = follower
        defer { follower?.drop() }
        let end = Instant.now + (deadline ?? configuration.statementDeadline)
        while true {
            let connection = try await acquire(until: end)
            defer { release(connection) }
            do {
                guard let process = try await connection.serverProcess(until: end) else {
                    return nil
                }
                let first = follower
                follower = nil
                return try await connection.commit(
                    alone: statement, by: process, until: end, followedBy: first)
            } catch let error as PostgresError where error.mayGoElsewhere && .now < end {
                continue
            }
        }
    }
}

extension PostgresConnection {
    /// The process that serves this connection; nil behind a pooler, and where the server doesn't
    /// show it to its own user. Asked once.
    func serverProcess(until deadline: Instant) async throws -> PostgresServerProcess? {
        if isPooled { return nil }
        if let known = state.withLock({ $0.serverProcess }) { return known }
        let calls = [try StatementCall(ReadProcess()), try StatementCall(ReadIncarnation())]
        let reply = try await perform(PostgresRequest(.statements(calls)), until: deadline)
        let process = try reply.rows(as: ReadProcess.self).first.flatMap { $0 }
        let server = try reply.rows(as: ReadIncarnation.self, of: 1).first
        let direct = process?.id == processID ? process?.of(server) : nil
        state.withLock { $0.serverProcess = .some(direct) }
        return direct
    }

    func commit<Statement: PostgresStatement>(
        alone statement: Statement, by process: PostgresServerProcess, until deadline: Instant,
        followedBy follower: PostgresFollower?
    ) async throws -> (rows: [Statement.Row], count: Int) {
        var request = try PostgresRequest(statement)
        request.isCancellable = false
        do {
            let reply = try await perform(request, until: deadline, followedBy: follower)
            return (try reply.rows(as: Statement.self), reply.affected())
        } catch let error as PostgresError where error.leavesCommitUnknown {
            throw unknown("the outcome of \(Statement.name) is unknown", process, cause: error)
        }
    }

    private func unknown(
        _ message: String, _ process: PostgresServerProcess, cause: (any Error)? = nil
    ) -> PostgresError {
        close()
        var error = PostgresError(.unknownCommit, message, cause: cause)
        error.unknownCommit = PostgresUnknownCommit(process: process)
        return error
    }
}

/// The process that runs the statement; nil when its start is hidden from the user.
struct ReadProcess: PostgresStatement {
    static let sql = """
        SELECT a.pid, extract(epoch FROM a.backend_start)::text
        FROM pg_stat_activity a WHERE a.pid = pg_backend_pid()
        """

    static func decode(_ row: borrowing PostgresRow) throws -> PostgresServerProcess? {
        let start = try row.decode(1, as: String?.self)
        return try start.map { PostgresServerProcess(id: try row.decode(0), startedAt: $0) }
    }
}

extension PostgresServerProcess {
    fileprivate func of(_ incarnation: String?) -> PostgresServerProcess {
        PostgresServerProcess(id: id, startedAt: startedAt, incarnation: incarnation)
    }
}

/// Whether a process of the server is still there: a row if so. What it ran is over and visible
/// before it leaves this view.
///
/// It is told to end where it waits for its client, who is gone and whom it may miss for hours
/// behind a broken network. One at work is left alone: it may wait for a standby's answer.
struct EndProcess: PostgresStatement {
    static let sql = """
        SELECT CASE WHEN a.state = 'idle' AND pg_has_role(a.usesysid, 'USAGE')
                    THEN pg_terminate_backend(a.pid) END
        FROM pg_stat_activity a
        WHERE a.pid = $1
          AND coalesce(extract(epoch FROM a.backend_start)::text = $2, true)
        """
    let process: PostgresServerProcess

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(process.id)
        try parameters.append(process.startedAt)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool? { try row.decode(0) }
}
