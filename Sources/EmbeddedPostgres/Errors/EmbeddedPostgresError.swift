import TenureSystem

/// Why a private PostgreSQL could not be started, stopped or used.
///
/// `description` is one line that says what to do; `debugDescription` adds what the
/// server or its tools wrote.
public struct EmbeddedPostgresError: Error, Sendable {
    public struct Code: Sendable, Hashable {
        private enum Value {
            case notInstalled, folderInUse, folderUnusable, otherVersion
            case creationFailed, startFailed, startTimedOut, commandFailed, system
        }

        private let value: Value

        /// No PostgreSQL of version 14 or later was found.
        public static let notInstalled = Code(value: .notInstalled)
        /// Another owner, in this process or another, holds the folder.
        public static let folderInUse = Code(value: .folderInUse)
        /// The folder can't be made, or holds something else.
        public static let folderUnusable = Code(value: .folderUnusable)
        /// The folder was made by a PostgreSQL of another major version.
        public static let otherVersion = Code(value: .otherVersion)
        /// `initdb` failed.
        public static let creationFailed = Code(value: .creationFailed)
        /// The server ended while it was starting.
        public static let startFailed = Code(value: .startFailed)
        /// The server did not become ready in time.
        public static let startTimedOut = Code(value: .startTimedOut)
        /// `psql` reported an error.
        public static let commandFailed = Code(value: .commandFailed)
        /// A system call failed.
        public static let system = Code(value: .system)
    }

    public let code: Code
    public let description: String
    /// The end of what the server or its tool wrote, if anything.
    public let output: String?

    init(_ code: Code, _ description: String, output: String? = nil) {
        self.code = code
        self.description = description
        self.output = output
    }

    /// A system call's failure, from `errno`; read it at once.
    init(system call: String, _ subject: String, errno number: Int32) {
        let reason = String(cString: strerror(number))
        self.init(.system, "\(call) \(subject): \(reason)")
    }
}

extension EmbeddedPostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    public var debugDescription: String {
        guard let output, !output.isEmpty else { return description }
        return "\(description)\n\(output)"
    }
}
