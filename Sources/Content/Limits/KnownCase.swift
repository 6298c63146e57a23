import Tenure

extension PostgresRow {
    /// A column with one of the names that this release knows.
    /// - Throws: `ContentError` with `.newerDatabase`.
    func decode<Case: RawRepresentable<String>>(
        _ column: Int, known type: Case.Type = Case.self
    ) throws -> Case {
        let text = try decode(column, as: String.self)
        guard let known = Case(rawValue: text) else {
            throw ContentError(
                .newerDatabase,
                "the \(columnName(column)) of a row is \"\(text)\": use a newer release")
        }
        return known
    }

    /// A number of four bytes.
    func count(_ column: Int) throws -> Int { Int(try decode(column, as: Int32.self)) }

    /// The same, which may be missing.
    func number(_ column: Int) throws -> Int? { try decode(column, as: Int32?.self).map(Int.init) }

    /// A number of eight bytes.
    func total(_ column: Int) throws -> Int { Int(try decode(column, as: Int64.self)) }
}

extension PostgresParameters {
    /// A number of four bytes, or the nearest that there is.
    mutating func append(clamping number: Int?) throws {
        try append(number.map { Int32(clamping: $0) })
    }
}
