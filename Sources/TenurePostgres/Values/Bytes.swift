/// `[UInt8]` is bytea; `UInt8` alone is nothing that PostgreSQL has.
extension UInt8: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { .bytea }

    public static func encode(_ elements: [UInt8], into buffer: inout PostgresBuffer) {
        buffer.append(contentsOf: elements)
    }

    public static func decode(_ bytes: RawSpan, type: PostgresType) throws -> [UInt8] {
        guard type == .bytea else { throw PostgresError.mismatch(type, [UInt8].self) }
        return bytes.array
    }
}

extension Array: PostgresArrayElement where Element == UInt8 {
    public static var postgresArrayType: PostgresType { .byteaArray }
}
