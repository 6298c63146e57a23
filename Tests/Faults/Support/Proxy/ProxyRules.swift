/// What a proxy does to the bytes that pass.
package struct ProxyRules: Sendable {
    /// Where in a commit a connection is cut, once.
    package enum CommitCut: String, Sendable {
        /// COMMIT never arrives: the server rolls back.
        case before
        /// The server has committed, and its answer is lost.
        case reply
    }

    /// Bytes from the client wait in here: the server sees silence.
    package var holdsUp = false
    /// Bytes from the server wait in here.
    package var holdsDown = false
    /// Every piece waits so long on its way.
    package var delay = Duration.zero
    /// New connections are closed at once.
    package var refuses = false
    /// Notifications are lost.
    package var dropsNotifications = false
    /// The next commit is cut.
    package var commitCut: CommitCut?
    /// At that many statements more nothing passes: neither the last of them (`before`) nor its
    /// answer (`reply`).
    package var statementCut: (left: Int, cut: CommitCut)?
    /// A cut reaches the client alone: the server goes on waiting for it, as when the network
    /// between them is gone without a word.
    package var strandsServer = false

    package init() {}
}
