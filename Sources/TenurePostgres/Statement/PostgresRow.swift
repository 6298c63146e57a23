import TenureLibpq

/// One row of a result, lent for the time it is decoded.
public struct PostgresRow: ~Copyable {
    @usableFromInline let result: OpaquePointer
    @usableFromInline let index: Int32

    @inlinable
    init(result: OpaquePointer, index: Int32) {
        self.result = result
        self.index = index
    }

    public var columnCount: Int { Int(PQnfields(result)) }

    /// The name of a column, counted from 0.
    public func columnName(_ column: Int) -> String {
        PQfname(result, Int32(column)).map { String(cString: $0) } ?? "?column?"
    }

    /// - Parameter column: one that is there.
    public func columnType(_ column: Int) -> PostgresType {
        PostgresType(rawValue: PQftype(result, Int32(column)))
    }

    /// Reads a column, counted from 0.
    ///
    /// - Throws: `PostgresError` (`.decodingFailed`) that names the column: it is NULL, missing, or
    ///   of a type that isn't read as this one.
    ///
    /// Inlinable, as the next one: with its type known it costs a tenth.
    @inlinable
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value.Type = Value.self
    ) throws -> Value {
        guard let bytes = try bytes(column) else { throw missing(column, Value.self) }
        do {
            return try Value(postgres: bytes.bytes, type: columnType(column))
        } catch {
            throw unread(column, error)
        }
    }

    /// Reads a column that may be NULL.
    @inlinable
    public func decode<Value: PostgresDecodable>(
        _ column: Int, as type: Value?.Type = Value?.self
    ) throws -> Value? {
        guard let bytes = try bytes(column) else { return nil }
        do {
            return try Value(postgres: bytes.bytes, type: columnType(column))
        } catch {
            throw unread(column, error)
        }
    }

    /// A column as it came; nil for NULL.
    @usableFromInline
    func bytes(_ column: Int) throws -> UnsafeRawBufferPointer? {
        let number = Int32(truncatingIfNeeded: column)
        guard column >= 0, number < PQnfields(result) else {
            throw failure(column, "isn't there: the row has \(columnCount)")
        }
        let size = Int(PQgetlength(result, index, number))
        // NULL has no length either.
        if size == 0, PQgetisnull(result, index, number) != 0 { return nil }
        return UnsafeRawBufferPointer(start: PQgetvalue(result, index, number), count: size)
    }

    @usableFromInline
    func missing(_ column: Int, _ wanted: Any.Type) -> PostgresError {
        failure(column, "is NULL", hint: "Read it as \(wanted)?")
    }

    @usableFromInline
    func unread(_ column: Int, _ error: any Error) -> PostgresError {
        guard let error = error as? PostgresError else {
            return failure(column, "can't be read", cause: error)
        }
        return failure(column, error.message, hint: error.hint, cause: error.cause)
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
