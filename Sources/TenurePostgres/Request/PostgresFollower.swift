/// A statement that goes out right behind another one, in a transaction of its own, and that nobody
/// waits for. It runs after that one whatever became of it.
package struct PostgresFollower: Sendable {
    let request: PostgresRequest
    /// Called once, on a thread that must not be held up: how long it took, or why it was not done.
    let onEnd: @Sendable (Result<Duration, any Error>) -> Void

    package init<Statement: PostgresStatement>(
        _ statement: Statement, onEnd: @escaping @Sendable (Result<Duration, any Error>) -> Void
    ) throws {
        request = try PostgresRequest(statement)
        self.onEnd = onEnd
    }

    /// It isn't needed: nothing went before it.
    func drop() { onEnd(.failure(CancellationError())) }
}
