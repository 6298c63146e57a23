/// What can go wrong in the library, apart from the database's own errors.
///
/// `description` is one line, safe to show, and says what to do; `debugDescription` adds the
/// cause.
public struct TenureError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// An open set: compare with the constants, expect more in later releases.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        /// A job, its payload or its options break a limit; the message names the field.
        public static let invalidJob = Code(description: "invalidJob")
        /// A setting is out of range; the message names it and the range.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// The database has no schema, an older one, or one newer than this binary knows.
        public static let schemaMismatch = Code(description: "schemaMismatch")
        /// The session is over: its beat stood still for a whole lease.
        public static let sessionOver = Code(description: "sessionOver")
        /// The end of an enqueue's transaction could not be found out before the deadline.
        public static let unknownEnqueue = Code(description: "unknownEnqueue")
        /// Nothing of that name exists.
        public static let notFound = Code(description: "notFound")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
    public var debugDescription: String {
        "\(code): \(message)" + (cause.map { " (caused by \($0))" } ?? "")
    }
}
