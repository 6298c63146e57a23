/// A statement whose rows are many: it reads them all itself, in a loop that knows their type.
package protocol PostgresBulkStatement: PostgresStatement {
    static func decodeAll(_ rows: borrowing PostgresRows) throws -> [Row]
}

/// The rows of a result, lent for the time they are decoded.
package struct PostgresRows: ~Copyable {
    @usableFromInline let result: OpaquePointer
    package let count: Int

    init(_ result: OpaquePointer, count: Int) {
        self.result = result
        self.count = count
    }

    @inlinable @inline(__always)
    package func map<Row>(_ decode: (borrowing PostgresRow) throws -> Row) rethrows -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(count)
        for index in 0..<count {
            rows.append(try decode(PostgresRow(result: result, index: Int32(index))))
        }
        return rows
    }
}
