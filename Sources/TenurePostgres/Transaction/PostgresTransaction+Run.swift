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
        var request = try PostgresRequest(sql: "COMMIT", [])
        request.isCancellable = false
        do {
            let follower = state.withLock { $0.follower.take() }
            let reply = try await connection.perform(
                request, until: limit(), followedBy: follower)
            if reply.command() != "COMMIT" {
                throw PostgresError(
                    .commitRefused, "COMMIT was answered with \(reply.command())",
                    hint: "A statement of the transaction had failed")
            }
        } catch let error as PostgresError where error.leavesCommitUnknown {
            throw unknown("the outcome of COMMIT is unknown", cause: error)
        }
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
