/// What goes to the server in one go, and is answered in one go.
public struct PostgresRequest: Sendable {
    enum Work: Sendable {
        /// One statement or a pipeline of them.
        case statements([StatementCall])
        /// Several statements in one text, without parameters.
        case script(String)
        case copy(sql: String, data: [UInt8])
    }

    let work: Work
    /// COMMIT and ROLLBACK are not cut short by the task's cancellation.
    var isCancellable = true
    /// BEGIN, which says itself at what isolation.
    var begins = false
    /// Told when it has been handed to the socket, on a thread that must not be held up. Nobody who
    /// kills this process afterwards keeps it from the server.
    var onSent: (@Sendable () -> Void)?
    /// The server sends what it has to say before it commits, in a packet of its own.
    var answersEarly = false
    /// Looks at the first result as soon as it is here, and returns what tells of it: called on a
    /// thread that must not be held up. What it says may come to nothing yet.
    var onResult: (@Sendable (borrowing PostgresRows) -> @Sendable () -> Void)?

    init(_ work: Work) { self.work = work }

    init<Statement: PostgresStatement>(_ statement: Statement) throws {
        self.init(.statements([try StatementCall(statement)]))
    }

    init(sql: String, _ parameters: [any PostgresEncodable]) throws {
        self.init(.statements([try StatementCall(sql: sql, parameters)]))
    }
}

/// A statement with its parameters bound.
struct StatementCall: Sendable {
    enum Text: Sendable {
        /// Prepared once on each connection.
        case named(any PostgresStatement.Type)
        case adHoc(String)
    }

    /// The protocol counts parameters in 16 bits.
    private static let maximum = 65_535

    let text: Text
    let parameters: PostgresParameters

    init<Statement: PostgresStatement>(_ statement: Statement) throws {
        var parameters = PostgresParameters()
        do {
            try statement.bind(&parameters)
        } catch var error as PostgresError {
            error.statement = error.statement ?? Statement.name
            throw error
        }
        try self.init(.named(Statement.self), parameters)
    }

    init(sql: String, _ values: [any PostgresEncodable]) throws {
        var parameters = PostgresParameters()
        for value in values { try parameters.append(value) }
        try self.init(.adHoc(sql), parameters)
    }

    private init(_ text: Text, _ parameters: PostgresParameters) throws {
        guard parameters.count <= Self.maximum else {
            throw PostgresError(
                .misuse, "a statement takes at most \(Self.maximum) parameters",
                hint: "Pass arrays and unnest them")
        }
        self.text = text
        self.parameters = parameters
    }

    var name: String? {
        switch text {
        case .named(let statement): statement.name
        case .adHoc: nil
        }
    }
}
