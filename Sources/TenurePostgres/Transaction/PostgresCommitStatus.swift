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
