/// Statements of different kinds, gathered for one round trip.
public struct PostgresBundle: Sendable {
    private(set) var calls: [StatementCall] = []

    public init() {}

    /// - Returns: the statement's place, which its rows are read by.
    @discardableResult
    public mutating func add(_ statement: some PostgresStatement) throws -> Int {
        calls.append(try StatementCall(statement))
        return calls.count - 1
    }
}

extension PostgresClient {
    /// Runs what was gathered, in order, in one round trip; see `pipeline(_:deadline:)`.
    public func run(_ bundle: PostgresBundle, deadline: Duration? = nil) async throws
        -> PostgresReply
    {
        try await perform(PostgresRequest(.statements(bundle.calls)), deadline: deadline)
    }
}
