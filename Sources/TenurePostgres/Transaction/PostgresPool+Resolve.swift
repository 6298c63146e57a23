// docs/decisions/unknown-commit.md

import Logging

extension PostgresPool {
    /// Finds out what became of a transaction whose COMMIT went unanswered; asks again while it is
    /// in progress, while the database can't be reached, and while a synchronous standby has not
    /// confirmed what was found.
    ///
    /// - Parameter deadline: how long to go on asking.
    /// - Returns: `.inProgress` only at the deadline. After `.ambiguous` look for the transaction's
    ///   rows with `confirmed`.
    /// - Throws: the last `PostgresError` when the database couldn't be asked; `.notReplicated`
    ///   when the standby was silent to the end.
    public func resolve(
        _ unknown: PostgresUnknownCommit, deadline: Duration = .seconds(30)
    ) async throws -> PostgresCommitStatus {
        try await askAgain(until: .now + deadline) { left in
            let status = try await self.ask(unknown, deadline: left)
            return status == .inProgress ? nil : status
        } ?? .inProgress
    }

    /// Reads what has been committed, and returns it when it can be relied on as on an
    /// acknowledged commit: where there is a synchronous standby, it has confirmed all that was
    /// read. A row may be there without that: whoever wrote it was cut off while it waited.
    ///
    /// - Throws: the last `PostgresError` when that could not be had until the deadline.
    public func confirmed<Statement: PostgresStatement>(
        _ statement: Statement, deadline: Duration = .seconds(30)
    ) async throws -> [Statement.Row] {
        try await askAgain(until: .now + deadline) { left in
            let (rows, isPrimary) = try await self.pipeline(
                statement, ConfirmCommits(), deadline: left)
            if isPrimary.first != true { throw Self.isStandby }
            return rows
        } ?? []
    }

    /// - Parameter ask: nil if there is no answer yet.
    /// - Returns: nil only at the end.
    private func askAgain<Answer: Sendable>(
        until end: Instant, _ ask: (_ left: Duration) async throws -> Answer?
    ) async throws -> Answer? {
        var pause = Duration.milliseconds(10)
        var isOpen = false
        while true {
            do {
                if let answer = try await ask(end - .now) { return answer }
                isOpen = true
            } catch let error as PostgresError where Self.mayAskAgain(error) {
                logger.debug("can't ask for a commit yet", metadata: ["error": "\(error)"])
                if .now >= end, !isOpen { throw error }
            }
            if .now >= end { return nil }
            try await configuration.reactor.sleep(for: min(pause, end - .now))
            pause = min(pause * 2, .milliseconds(500))
        }
    }

    private static func mayAskAgain(_ error: PostgresError) -> Bool {
        error.isTransient || [.poolTimedOut, .deadlineExceeded].contains(error.code)
    }

    private static let isStandby = PostgresError(
        .notReplicated, "the server that answered is a standby: what it lacks may still come",
        hint: "Use target_session_attrs=read-write")

    private func ask(
        _ unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus {
        switch unknown.name {
        case .transaction(let xid, let incarnation):
            return try await ask(xid, incarnation, deadline)
        case .process(let process):
            return try await withConnection { connection in
                let incarnation = try await connection.execute(ReadIncarnation()).first
                // Its server has crashed or was replaced: the process is gone for certain.
                guard incarnation == process.incarnation else { return .ambiguous }
                let found = try await connection.execute(
                    EndProcess(process: process), deadline: deadline)
                return found.isEmpty ? .ambiguous : .inProgress
            }
        }
    }

    private func ask(
        _ xid: PostgresTransactionID, _ incarnation: String?, _ deadline: Duration
    ) async throws -> PostgresCommitStatus {
        do {
            let (statuses, incarnations, isPrimary) = try await pipeline(
                ReadCommitStatus(xid: xid), ReadIncarnation(), ConfirmCommits(),
                deadline: deadline)
            if isPrimary.first != true { throw Self.isStandby }
            let isSameServer = incarnation == nil || incarnations.first == incarnation
            return .init(says: statuses.first ?? nil, isSameServer: isSameServer)
        } catch let error as PostgresError where error.sqlState == "22023" {
            // The id lies in the server's future: no trace of it outlived a crash.
            return .aborted
        }
    }
}

extension PostgresCommitStatus {
    /// - Parameter isSameServer: it has not crashed since, and no other has taken its place. If so,
    ///   the id may be another transaction's by now; but then this one didn't commit, so `aborted`
    ///   holds either way.
    init(says status: String?, isSameServer: Bool) {
        switch status {
        case "committed": self = isSameServer ? .committed : .ambiguous
        case "aborted": self = .aborted
        case "in progress": self = .inProgress
        default: self = .tooOld
        }
    }
}

/// Makes the transaction that reads wait for the standby as one that writes: everything that was
/// committed before is confirmed with it. False on a standby.
struct ConfirmCommits: PostgresStatement {
    static let sql = """
        SELECT CASE WHEN pg_is_in_recovery() THEN false
                    ELSE pg_logical_emit_message(true, 'tenure', '') IS NOT NULL END
        FROM (SELECT CASE current_setting('synchronous_commit')
                     WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END
              OFFSET 0) AS durable
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
