extension PostgresTransaction {
    /// From the answer to BEGIN to the end.
    func run<Result>(
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        let result: Result
        do {
            result = try await body(self)
            try await runBeforeCommit()
            try Task.checkCancellation()
            try await commit()
        } catch {
            close()
            state.withLock { $0.follower.take() }?.drop()
            await connection.rollBackIfOpen()
            throw error
        }
        for hook in state.withLock({ $0.afterCommit }) { await hook.body() }
        return result
    }

    private func close() { state.withLock { $0.isOpen = false } }

    /// From the moment when nothing more is to be run, nothing more is taken in.
    private func runBeforeCommit() async throws {
        while true {
            let next = try state.withLock { state in
                if let spoiled = state.spoiled { throw spoiled }
                if state.beforeCommit.isEmpty {
                    state.isOpen = false
                    return BeforeCommit?.none
                }
                return state.beforeCommit.removeFirst().body
            }
            // A text that ended the transaction, and failed after that, comes to light here.
            guard connection.isInTransaction || connection.isClosed else { throw Self.control }
            guard let next else { return }
            try await next(self)
        }
    }

    private func commit() async throws {
        var calls = [try StatementCall(sql: "COMMIT", [])]
        if mayHaveLostDurability { calls.insert(try StatementCall(RaiseDurability()), at: 0) }
        var request = PostgresRequest(.statements(calls))
        request.isCancellable = false
        do {
            let follower = state.withLock { $0.follower.take() }
            let reply = try await connection.perform(
                request, until: limit(), followedBy: follower)
            let answer = reply.command(of: calls.count - 1)
            if answer != "COMMIT" {
                throw PostgresError(
                    .commitRefused, "COMMIT was answered with \(answer)",
                    hint: "A statement of the transaction had failed: let its error through, or "
                        + "run what may fail in savepoint { }")
            }
        } catch let error as PostgresError where error.leavesCommitUnknown {
            throw unknown("the outcome of COMMIT is unknown", cause: error)
        }
    }

    /// Whether a promise was made, and a statement that may have taken it back came after it. In a
    /// transaction that has failed nothing can be asked, and nothing is to be kept.
    private var mayHaveLostDurability: Bool {
        let wasLast = state.withLock { $0.promisedAt == nil || $0.promisedAt == $0.sent }
        return !wasLast && !connection.hasFailedTransaction
    }

    private func unknown(_ message: String, cause: (any Error)? = nil) -> PostgresError {
        let hint = xid == nil ? "Track the transaction to be able to ask" : nil
        var error = PostgresError(.unknownCommit, message, hint: hint, cause: cause)
        error.unknownCommit = xid.map {
            PostgresUnknownCommit(xid: $0, incarnation: connection.incarnation)
        }
        return error
    }
}

extension PostgresError {
    /// A commit was sent, and neither confirmed nor refused by the server, or not by its standby.
    var leavesCommitUnknown: Bool {
        wasSent && [.connectionLost, .closed, .deadlineExceeded, .notReplicated].contains(code)
    }
}

extension PostgresConnection {
    func rollBackIfOpen() async {
        if isInTransaction { await rollBack() }
    }
}
