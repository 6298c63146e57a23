/// Anything that takes statements: a connection, a pool, a transaction.
public protocol PostgresClient: Sendable {
    /// The one verb behind the others.
    ///
    /// - Parameter deadline: how long the call may take; the configuration's default when nil.
    func perform(_ request: PostgresRequest, deadline: Duration?) async throws -> PostgresReply
}

extension PostgresClient {
    /// Runs a statement and decodes its rows.
    ///
    /// - Parameter deadline: how long the call may take; the configuration's default when nil.
    /// - Throws: `PostgresError`; `CancellationError` when the task was cancelled and the statement
    ///   had no effect. One that took effect before the cancellation reached it returns.
    public func execute<Statement: PostgresStatement>(
        _ statement: Statement, deadline: Duration? = nil
    ) async throws -> [Statement.Row] {
        let reply = try await perform(try PostgresRequest(statement), deadline: deadline)
        return try reply.rows(as: Statement.self)
    }

    /// Runs a statement and decodes its rows.
    ///
    /// - Parameters:
    ///   - isEarly: the answer is had before the server has committed. It costs a packet more.
    ///   - answered: called with the number of rows before they are decoded: the next statement can
    ///     be sent meanwhile. What it was told comes to nothing where this throws afterwards. It is
    ///     called once, on a thread that must not be held up, and not at all where the statement
    ///     fails.
    /// - Throws: as `execute(_:deadline:)`.
    package func execute<Statement: PostgresStatement>(
        _ statement: Statement, isEarly: Bool, answered: @escaping @Sendable (_ count: Int) -> Void
    ) async throws -> [Statement.Row] {
        var request = try PostgresRequest(statement)
        request.answersEarly = isEarly
        request.onResult = { rows in
            let count = rows.count
            return { answered(count) }
        }
        return try await perform(request, deadline: nil).rows(as: Statement.self)
    }

    /// Runs a statement of many rows, and has it decode them; otherwise as the one above.
    package func execute<Statement: PostgresBulkStatement>(
        _ statement: Statement, isEarly: Bool,
        answered: @escaping @Sendable (Statement.Glance) -> Void
    ) async throws -> [Statement.Row] {
        var request = try PostgresRequest(statement)
        request.answersEarly = isEarly
        request.onResult = { rows in
            do {
                let glance = try Statement.glance(at: rows)
                return { answered(glance) }
            } catch {
                return {}  // whoever decodes the rows throws it
            }
        }
        let reply = try await perform(request, deadline: nil)
        return try reply.read(Statement.self) { try Statement.decodeAll($0) } ?? []
    }

    /// Runs a statement and decodes its rows.
    ///
    /// - Parameter sent: called once it has left this process; again where it had to be sent again.
    ///   It must not wait.
    /// - Throws: as `execute(_:deadline:)`.
    package func execute<Statement: PostgresStatement>(
        _ statement: Statement, sent: @escaping @Sendable () -> Void
    ) async throws -> [Statement.Row] {
        var request = try PostgresRequest(statement)
        request.onSent = sent
        return try await perform(request, deadline: nil).rows(as: Statement.self)
    }

    /// Runs SQL that isn't a declared statement, and decodes its rows. Not prepared.
    public func query<Row>(
        _ sql: String, _ parameters: [any PostgresEncodable] = [], deadline: Duration? = nil,
        decode: (borrowing PostgresRow) throws -> Row
    ) async throws -> [Row] {
        let request = try PostgresRequest(sql: sql, parameters)
        let reply = try await perform(request, deadline: deadline)
        return try reply.rows(decode)
    }

    /// Runs SQL that isn't a declared statement.
    ///
    /// - Returns: how many rows it wrote, or read.
    @discardableResult
    public func query(
        _ sql: String, _ parameters: [any PostgresEncodable] = [], deadline: Duration? = nil
    ) async throws -> Int {
        let request = try PostgresRequest(sql: sql, parameters)
        return try await perform(request, deadline: deadline).affected()
    }

    /// Runs a text of several statements, without parameters, and throws their rows away.
    ///
    /// Without BEGIN and COMMIT of its own the text is one transaction.
    public func simple(_ sql: String, deadline: Duration? = nil) async throws {
        _ = try await perform(PostgresRequest(.script(sql)), deadline: deadline)
    }

    /// Runs several statements in one round trip.
    ///
    /// Outside a transaction they are one: the first that fails undoes those before it, and those
    /// behind it don't run. Inside one, a failure aborts it. The error is that of the first.
    public func pipeline<each Statement: PostgresStatement>(
        _ statement: repeat each Statement, deadline: Duration? = nil
    ) async throws -> (repeat [(each Statement).Row]) {
        var calls: [StatementCall] = []
        for statement in repeat each statement { calls.append(try StatementCall(statement)) }
        let reply = try await perform(PostgresRequest(.statements(calls)), deadline: deadline)
        var index = -1
        func next() -> Int {
            index += 1
            return index
        }
        return (repeat try reply.rows(as: (each Statement).self, of: next()))
    }

    /// Runs the same statement many times in one round trip; see `pipeline(_:deadline:)`.
    ///
    /// - Returns: the rows of each, in order.
    public func pipeline<Statement: PostgresStatement>(
        all statements: [Statement], deadline: Duration? = nil
    ) async throws -> [[Statement.Row]] {
        if statements.isEmpty { return [] }
        let calls = try statements.map { try StatementCall($0) }
        let reply = try await perform(PostgresRequest(.statements(calls)), deadline: deadline)
        var rows: [[Statement.Row]] = []
        for index in statements.indices {
            rows.append(try reply.rows(as: Statement.self, of: index))
        }
        return rows
    }
}

extension PostgresReply {
    /// The rows of the statement at that place, decoded.
    public borrowing func rows<Statement: PostgresStatement>(
        as: Statement.Type, of index: Int = 0
    ) throws -> [Statement.Row] {
        do {
            return try rows(of: index) { try Statement.decode($0) }
        } catch var error as PostgresError {
            error.statement = error.statement ?? Statement.name
            throw error
        }
    }

    borrowing func rows<Row>(_ decode: (borrowing PostgresRow) throws -> Row) throws -> [Row] {
        try rows(of: 0, decode)
    }

    borrowing func read<Statement: PostgresBulkStatement, Result>(
        _: Statement.Type, _ body: (borrowing PostgresRows) throws -> Result
    ) throws -> Result? {
        do {
            return try withRows(body)
        } catch var error as PostgresError {
            error.statement = error.statement ?? Statement.name
            throw error
        }
    }
}
