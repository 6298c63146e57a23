/// What went wrong between this program and PostgreSQL.
///
/// `description` is one line, carries no secret and none of the row's values, and says what to do
/// where that is known; `debugDescription` is everything the server said.
public struct PostgresError: Error, Sendable {
    public var code: Code
    /// The five characters PostgreSQL names the error by; nil where no server had a say.
    public var sqlState: String?
    public var message: String
    /// May hold values of the row concerned: for people who may see them.
    public var detail: String?
    public var hint: String?
    /// Where in the SQL, from 1, in Unicode's characters; after its qualifiers were mapped.
    package var position: Int?
    /// The name of the violated constraint.
    public var constraint: String?
    /// The statement's `name`, never its SQL or its parameters.
    public var statement: String?
    public var cause: (any Error)?
    /// Set with `.unknownCommit` of a tracked transaction: ask `PostgresPool.resolve`.
    public var unknownCommit: PostgresUnknownCommit?
    /// False when it is certain that no byte of the request left this process.
    var wasSent = true

    public init(
        _ code: Code, _ message: String, sqlState: String? = nil, hint: String? = nil,
        statement: String? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.hint = hint
        self.statement = statement
        self.cause = cause
    }
}

extension PostgresError {
    /// Open: new codes may appear, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// No connection could be made.
        public static let connectFailed = Code(description: "connectFailed")
        /// The connection went away, before or during the call.
        public static let connectionLost = Code(description: "connectionLost")
        /// The server refused the statement: see `sqlState`.
        public static let server = Code(description: "server")
        /// The call's deadline passed; the statement was cancelled on the server.
        public static let deadlineExceeded = Code(description: "deadlineExceeded")
        /// No connection of the pool became free in time.
        public static let poolTimedOut = Code(description: "poolTimedOut")
        public static let decodingFailed = Code(description: "decodingFailed")
        public static let encodingFailed = Code(description: "encodingFailed")
        /// COMMIT was sent and its outcome is not known: see `unknownCommit`.
        public static let unknownCommit = Code(description: "unknownCommit")
        /// It is committed here, but the wait for a synchronous standby was given up: a failover
        /// may lose it.
        public static let notReplicated = Code(description: "notReplicated")
        /// COMMIT was answered with ROLLBACK: nothing was committed.
        public static let commitRefused = Code(description: "commitRefused")
        /// The connection or the pool was closed by this program.
        public static let closed = Code(description: "closed")
        /// This program used the client in a way that can't work.
        public static let misuse = Code(description: "misuse")
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
    }

    /// Doing the same again may succeed: serialization failures, deadlocks, a server that starts
    /// or stops or has no room just now, a lost connection, a standby that didn't answer. An
    /// unknown commit isn't transient: it must be resolved first.
    public var isTransient: Bool {
        if code == .unknownCommit { return false }
        if isConnectionLoss || code == .notReplicated { return true }
        guard let sqlState else { return code == .connectFailed }
        let states: Set = [
            "40001", "40P01", "53100", "53200", "53300", "57P01", "57P02", "57P03", "57P05",
        ]
        let isProtocolViolation = sqlState == "08P01"
        return states.contains(sqlState) || sqlState.hasPrefix("08") && !isProtocolViolation
    }

    /// The connection is gone; whether the statement took effect isn't known.
    public var isConnectionLoss: Bool { code == .connectionLost }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        var text = "PostgreSQL: \(message)"
        if let sqlState { text += " [\(sqlState)]" }
        if let statement { text += " in \(statement)" }
        if let hint { text += ". \(hint)" }
        if let cause = cause as? PostgresError { text += " (\(cause))" }
        return text.replacingNewlines()
    }

    public var debugDescription: String {
        var parts = ["PostgresError.\(code): \(message)"]
        let rest: [(String, String?)] = [
            ("sqlState", sqlState), ("detail", detail), ("hint", hint),
            ("constraint", constraint), ("statement", statement),
            ("unknownCommit", unknownCommit.map { String(describing: $0) }),
            ("cause", cause.map { String(reflecting: $0) }),
        ]
        for case (let name, let value?) in rest { parts.append("\(name): \(value)") }
        return parts.joined(separator: ", ")
    }
}

extension String {
    /// The same on one line.
    func replacingNewlines() -> String {
        split(whereSeparator: \.isNewline)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .joined(separator: "; ")
    }
}
