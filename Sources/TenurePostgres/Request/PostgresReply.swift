import TenureLibpq

/// What the server answered to a request: one result for each of its statements.
public struct PostgresReply: ~Copyable, @unchecked Sendable {
    // Unchecked because of the addresses: they have this one owner, and results aren't changed.
    private var results: [OpaquePointer] = []
    /// Some statement began or ended a transaction or a savepoint.
    private(set) var holdsControl = false

    init() {}

    deinit {
        for result in results { PQclear(result) }
    }

    mutating func append(_ result: OpaquePointer) { results.append(result) }

    /// To be told of each result, also of those that nobody keeps.
    mutating func note(_ result: OpaquePointer) {
        guard let tag = PQcmdStatus(result) else { return }
        // Told apart from SELECT and SET by two letters, which most results need only.
        let first = UInt8(truncatingIfNeeded: tag[0])
        switch (first, first == 0 ? 0 : UInt8(truncatingIfNeeded: tag[1])) {
        case (UInt8(ascii: "B"), _), (UInt8(ascii: "R"), _), (UInt8(ascii: "C"), UInt8(ascii: "O")),
            (UInt8(ascii: "S"), UInt8(ascii: "A")), (UInt8(ascii: "S"), UInt8(ascii: "T")),
            (UInt8(ascii: "P"), UInt8(ascii: "R")):
            if ControlStatement.tags.contains(String(cString: tag)) { holdsControl = true }
        default: break
        }
    }

    var count: Int { results.count }

    /// Decodes the rows of one statement's result, counted from 0.
    borrowing func rows<Row>(
        of statement: Int = 0, _ decode: (borrowing PostgresRow) throws -> Row
    ) throws -> [Row] {
        guard statement < results.count else { return [] }
        let result = results[statement]
        let count = PQntuples(result)
        var rows: [Row] = []
        rows.reserveCapacity(Int(count))
        for index in 0..<count {
            rows.append(try decode(PostgresRow(result: result, index: index)))
        }
        return rows
    }

    /// Lends the rows of the first statement; nil where it has no result.
    borrowing func withRows<Result>(
        _ body: (borrowing PostgresRows) throws -> Result
    ) rethrows -> Result? {
        guard let result = results.first else { return nil }
        return try body(PostgresRows(result, count: Int(PQntuples(result))))
    }

    /// How many rows a statement wrote, or read.
    borrowing func affected(by statement: Int = 0) -> Int {
        guard statement < results.count else { return 0 }
        return Int(String(cString: PQcmdTuples(results[statement]))) ?? 0
    }

    /// What the server did, `COMMIT` or `ROLLBACK`, say.
    borrowing func command(of statement: Int = 0) -> String {
        guard statement < results.count else { return "" }
        return String(cString: PQcmdStatus(results[statement]))
    }
}
