/// One SQL statement with its parameters and the shape of its rows, so that they can't drift apart.
///
/// Results come in binary format. A statement is prepared on a connection the first time it runs
/// there, in the same round trip.
public protocol PostgresStatement: Sendable {
    associatedtype Row: Sendable = PostgresNoRow

    /// A single statement. The same for every value of the type.
    static var sql: String { get }
    /// What errors call it.
    static var name: String { get }
    /// Whether the server plans it anew for the values of each run, and so knows how many rows they
    /// match and which of its branches they rule out; for searches with many optional conditions.
    /// It is not prepared then, and each run pays for parsing and planning: some milliseconds.
    static var isPlannedForItsValues: Bool { get }
    func bind(_ parameters: inout PostgresParameters) throws
    static func decode(_ row: borrowing PostgresRow) throws -> Row
}

/// The row of a statement whose rows nobody reads.
public struct PostgresNoRow: Hashable, Sendable {
    public init() {}
}

extension PostgresStatement {
    public static var name: String { String(describing: Self.self) }
    public static var isPlannedForItsValues: Bool { false }

    public func bind(_ parameters: inout PostgresParameters) throws {}
}

extension PostgresStatement where Row == PostgresNoRow {
    public static func decode(_ row: borrowing PostgresRow) throws -> PostgresNoRow {
        PostgresNoRow()
    }
}
