import TenureLibpq

/// One row of a result, lent for the time it is decoded.
public struct PostgresRow: ~Copyable {
    let result: OpaquePointer
    let index: Int32

    public var columnCount: Int { Int(PQnfields(result)) }

    /// The name of a column, counted from 0.
    public func columnName(_ column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? "?column?"
    }

    public func columnType(_ column: Int) -> PostgresType {
        PostgresType(rawValue: PQftype(result, Int32(column)))
    }

    /// Reads a column, counted from 0.
    ///
    /// - Throws: `PostgresError` (`.decodingFailed`) that names the column: it is NULL, missing, or
    ///   of a type that isn't read as this one.
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let value = try decode(column, as: Value?.self) else {
            throw failure(column, "is NULL", hint: "Read it as \(Value.self)?")
        }
        return value
    }

    /// Reads a column that may be NULL.
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value?.Type = Value?.self
    ) throws -> Value? {
        let number = Int32(truncatingIfNeeded: column)
        guard column >= 0, number < PQnfields(result) else {
            throw failure(column, "isn't there: the row has \(columnCount)")
        }
        if PQgetisnull(result, index, number) != 0 { return nil }
        let size = Int(PQgetlength(result, index, number))
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, number), count: size)
        do {
            return try Value(postgres: bytes.bytes, type: columnType(column))
        } catch let error as PostgresError {
            throw failure(column, error.message, hint: error.hint, cause: error.cause)
        } catch {
            throw failure(column, "can't be read", cause: error)
        }
    }

    /// Reads the first column of that name.
    public func decode<Value: PostgresDecodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try decode(column(name), as: Value.self)
    }

    public func decode<Value: PostgresDecodable>(
        _ name: String, as type: Value?.Type = Value?.self
    ) throws -> Value? {
        try decode(column(name), as: Value?.self)
    }

    private func column(_ name: String) throws -> Int {
        for column in 0..<columnCount where columnName(column) == name { return column }
        throw PostgresError(.decodingFailed, "the row has no column \(name)")
    }

    private func failure(
        _ column: Int, _ message: String, hint: String? = nil, cause: (any Error)? = nil
    ) -> PostgresError {
        let known = column >= 0 && column < columnCount
        let name = known ? " (\(columnName(column)))" : ""
        return PostgresError(
            .decodingFailed, "column \(column)\(name): \(message)", hint: hint, cause: cause)
    }
}
