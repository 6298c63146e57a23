import TenureLibpq

/// What the server answered to a request: one result for each of its statements.
public struct PostgresReply: ~Copyable, @unchecked Sendable {
    // Unchecked because of the addresses: they have this one owner, and results aren't changed.
    private var results: [OpaquePointer] = []

    init() {}

    deinit {
        for result in results { PQclear(result) }
    }

    mutating func append(_ result: OpaquePointer) { results.append(result) }

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

    /// How many rows a statement's result holds.
    borrowing func rowCount(of statement: Int = 0) -> Int {
        statement < results.count ? Int(PQntuples(results[statement])) : 0
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
