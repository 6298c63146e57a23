package import TenurePostgres

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
        /// This program used the library in a way that can't work; the message says what to do.
        public static let misuse = Code(description: "misuse")
        /// The database has no schema, an older one, or one newer than this binary knows.
        public static let schemaMismatch = Code(description: "schemaMismatch")
        /// The session is over: its beat stood still for a whole lease.
        public static let sessionOver = Code(description: "sessionOver")
        /// As many jobs wait in the queue as may; the cause is a `QueueFull`.
        public static let queueFull = Code(description: "queueFull")
        /// The end of an enqueue's transaction could not be found out before the deadline.
        public static let unknownEnqueue = Code(description: "unknownEnqueue")
        /// Nothing of that name exists.
        public static let notFound = Code(description: "notFound")
        /// What was waited for had not come by the deadline.
        public static let deadlineExceeded = Code(description: "deadlineExceeded")
        /// The job has ended, and its queue keeps no completed ones: its result is gone.
        public static let notKept = Code(description: "notKept")
        /// The job that was waited for was given up: by its handler, an operator, or because its
        /// attempts were spent.
        public static let discarded = Code(description: "discarded")
        /// The job that was waited for had not begun by its `notAfter`.
        public static let expired = Code(description: "expired")
        /// The job that was waited for was cancelled.
        public static let cancelled = Code(description: "cancelled")
        /// A newer job of its key took the place of the one that was waited for.
        public static let superseded = Code(description: "superseded")
        /// The job completed, and not with a result of the type that was asked for.
        public static let unreadableResult = Code(description: "unreadableResult")
        /// Something is sealed with a key that this program's codec doesn't have, or it has no
        /// codec. A handler that lets it through has its job held, for a worker that has the key.
        public static let unknownKey = Code(description: "unknownKey")
        /// Something isn't sealed, and the codec reads nothing else. The job is held, too.
        public static let notSealed = Code(description: "notSealed")
        /// Something sealed can't be opened: it was changed, belongs elsewhere, or the key of that
        /// name is another.
        public static let brokenSeal = Code(description: "brokenSeal")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// For a second call of a `run()` that may be called once.
    package static func secondRun(of whom: String, _ refusal: OneRun.Refusal) -> TenureError {
        switch refusal {
        case .running:
            TenureError(.misuse, "this \(whom) runs already: call its run() once, in one task")
        case .over:
            TenureError(
                .misuse,
                "this \(whom) has ended and can't run again: make a new one, and look why it ended")
        }
    }

    public var description: String { message }
    public var debugDescription: String {
        "\(code): \(message)" + (cause.map { " (caused by \($0))" } ?? "")
    }
}
