/// A transaction whose COMMIT was sent and never answered for certain.
public struct PostgresUnknownCommit: Hashable, Sendable {
    public let xid: PostgresTransactionID
    /// What changes when the server crashes: it may then give the id to another transaction.
    let incarnation: String?

    public init(xid: PostgresTransactionID, incarnation: String? = nil) {
        self.xid = xid
        self.incarnation = incarnation
    }
}

/// What became of a transaction.
public enum PostgresCommitStatus: Hashable, Sendable {
    case committed
    case aborted
    /// Still undecided at the deadline: a backend may be waiting inside COMMIT.
    case inProgress
    /// The server no longer knows: its record was removed.
    case tooOld
    /// The server has crashed or was replaced since, and an id that was not yet on disk may have
    /// been given to another transaction. Look for the transaction's own rows.
    case ambiguous
}
