import Logging

extension PostgresPool {
    /// Finds out what became of a transaction whose COMMIT went unanswered; asks again while it is
    /// in progress and while the database can't be reached.
    ///
    /// - Parameter deadline: how long to go on asking.
    /// - Returns: `.inProgress` only at the deadline.
    /// - Throws: the last `PostgresError` when the database couldn't be asked.
    public func resolve(
        _ unknown: PostgresUnknownCommit, deadline: Duration = .seconds(30)
    ) async throws -> PostgresCommitStatus {
        let end = Instant.now + deadline
        var pause = Duration.milliseconds(10)
        var isInProgress = false
        while true {
            do {
                let status = try await ask(unknown, deadline: end - .now)
                if status != .inProgress { return status }
                isInProgress = true
            } catch let error as PostgresError where Self.mayAskAgain(error) {
                logger.debug("can't ask for a commit yet", metadata: ["error": "\(error)"])
                if .now >= end, !isInProgress { throw error }
            }
            if .now >= end { return .inProgress }
            try await configuration.reactor.sleep(for: min(pause, end - .now))
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    private static func mayAskAgain(_ error: PostgresError) -> Bool {
        error.isTransient || [.poolTimedOut, .deadlineExceeded].contains(error.code)
    }

    private func ask(
        _ unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus {
        switch unknown.name {
        case .transaction(let xid, let incarnation):
            return try await ask(xid, incarnation, deadline)
        case .process(let process):
            let found = try await execute(EndProcess(process: process), deadline: deadline)
            return found.isEmpty ? .ambiguous : .inProgress
        }
    }

    private func ask(
        _ xid: PostgresTransactionID, _ incarnation: String?, _ deadline: Duration
    ) async throws -> PostgresCommitStatus {
        do {
            let (statuses, incarnations) = try await pipeline(
                ReadCommitStatus(xid: xid), ReadIncarnation(), deadline: deadline)
            let isSameServer = incarnation == nil || incarnations.first == incarnation
            return .init(says: statuses.first ?? nil, isSameServer: isSameServer)
        } catch let error as PostgresError where error.sqlState == "22023" {
            // The id lies in the server's future: no trace of it outlived a crash.
            return .aborted
        }
    }
}

extension PostgresCommitStatus {
    /// - Parameter isSameServer: it has not crashed since. If it has, the id may be another
    ///   transaction's by now; but then this one didn't commit, so `aborted` holds either way.
    init(says status: String?, isSameServer: Bool) {
        switch status {
        case "committed": self = isSameServer ? .committed : .ambiguous
        case "aborted": self = .aborted
        case "in progress": self = .inProgress
        default: self = .tooOld
        }
    }
}
