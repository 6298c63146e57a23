/// A statement whose rows are many: it reads them all itself, in a loop that knows their type.
package protocol PostgresBulkStatement: PostgresStatement {
    /// What is wanted of the rows before there is time to read them.
    associatedtype Glance: Sendable
    static func glance(at rows: borrowing PostgresRows) throws -> Glance
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
    package func visit(_ body: (borrowing PostgresRow) throws -> Void) rethrows {
        for index in 0..<count { try body(PostgresRow(result: result, index: Int32(index))) }
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
