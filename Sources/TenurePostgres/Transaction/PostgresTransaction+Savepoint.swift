// docs/decisions/savepoints.md

/// What a transaction gathers until COMMIT, and a savepoint that is rolled back undoes.
package protocol GatheredValue: Sendable {
    /// How much there is.
    var mark: Int { get }
    /// Gives up what came since.
    func rollBack(to mark: Int)
}

/// What belonged to a transaction when a part of it began.
struct Savepoint: Sendable {
    let number: Int
    let values: [ObjectIdentifier: any Sendable]
    let marks: [ObjectIdentifier: Int]

    var name: String { "part_\(number)" }

    init(of state: inout PostgresTransaction.State) {
        number = state.nextNumber()
        values = state.values
        marks = state.values.compactMapValues { ($0 as? any GatheredValue)?.mark }
    }

    func restore(_ state: inout PostgresTransaction.State) {
        state.beforeCommit.removeAll { $0.number > number }
        state.afterCommit.removeAll { $0.number > number }
        state.values = values
        for (type, mark) in marks { (values[type] as? any GatheredValue)?.rollBack(to: mark) }
    }
}

extension PostgresTransaction {
    /// Runs a part of the transaction that may fail by itself: when `body` throws, all that came
    /// since is undone, with the enqueues and hooks that were to wait for COMMIT, and the
    /// transaction goes on.
    ///
    /// What other tasks do in the transaction meanwhile belongs to the part, too. Parts may be
    /// nested, not run beside each other.
    /// - Throws: what `body` throws; `.misuse` when the transaction is over, or when another part
    ///   was still open: then the transaction can't be committed any more.
    public func savepoint<Result>(_ body: () async throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        let savepoint = try state.withLock { state in
            guard state.isOpen else { throw Self.over }
            let savepoint = Savepoint(of: &state)
            state.savepoints.append(savepoint)
            return savepoint
        }
        let result: Result
        do {
            try await control("SAVEPOINT \(savepoint.name)")
            result = try await body()
        } catch {
            // A failure to undo it is told where the transaction is to be committed.
            do { try await rollBack(to: savepoint) } catch let failure { spoil(failure) }
            throw error
        }
        try end(savepoint)
        try await control("RELEASE \(savepoint.name)")
        return result
    }

    private func rollBack(to savepoint: Savepoint) async throws(PostgresError) {
        try end(savepoint)
        state.withLock { savepoint.restore(&$0) }
        do {
            try await control("ROLLBACK TO \(savepoint.name)")
            try await control("RELEASE \(savepoint.name)")
        } catch let error as PostgresError {
            throw error
        } catch {
            throw PostgresError(.misuse, "a savepoint could not be rolled back", cause: error)
        }
    }

    /// - Throws: `.misuse` when it isn't the innermost.
    private func end(_ savepoint: Savepoint) throws(PostgresError) {
        let isInnermost = state.withLock { state in
            let isInnermost = state.savepoints.last?.number == savepoint.number
            state.savepoints.removeAll { $0.number >= savepoint.number }
            return isInnermost
        }
        if isInnermost { return }
        let error = PostgresError(
            .misuse, "a savepoint ended while one inside it, or beside it, was open",
            hint: "Run the parts of a transaction one after the other")
        spoil(error)
        throw error
    }

    private func control(_ sql: String) async throws {
        try checkOpen()
        var request = try PostgresRequest(sql: sql, [])
        request.isCancellable = false
        _ = try await connection.perform(request, until: limit())
    }
}
