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

/// What became of a transaction.
public enum PostgresCommitStatus: Hashable, Sendable {
    case committed
    case aborted
    /// Still undecided at the deadline: a backend may be waiting inside COMMIT.
    case inProgress
    /// The server no longer knows: its record was removed.
    case tooOld
    /// It is over, and its own rows tell how: look for them. Either the server has crashed or was
    /// replaced since, and an id that was not yet on disk may have been given to another
    /// transaction; or a statement ran on its own, and its process has ended.
    case ambiguous
}
