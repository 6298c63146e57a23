/// A transaction whose COMMIT was sent and never answered for certain.
public struct PostgresUnknownCommit: Hashable, Sendable {
    enum Name: Hashable {
        /// - Parameter incarnation: what changes when the server crashes or another takes its
        ///   place: it may then give the id to another transaction.
        case transaction(PostgresTransactionID, incarnation: String?)
        /// The process that ran a statement on its own.
        case process(PostgresServerProcess)
    }

    let name: Name

    public init(xid: PostgresTransactionID, incarnation: String? = nil) {
        name = .transaction(xid, incarnation: incarnation)
    }

    init(process: PostgresServerProcess) { name = .process(process) }

    /// The transaction's id, where it was fetched.
    public var xid: PostgresTransactionID? {
        if case .transaction(let xid, _) = name { xid } else { nil }
    }
}

/// One process of one server. The number alone is given to others later.
struct PostgresServerProcess: Hashable {
    let id: Int32
    /// Seconds, as the server writes them: compared, never read.
    let startedAt: String
    /// Of the server: another one may have a process of that number.
    var incarnation: String?
}

/// The id of a transaction, with its epoch: never used again by another.
public struct PostgresTransactionID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public var description: String { String(rawValue) }
}
