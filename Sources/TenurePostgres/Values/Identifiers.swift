public import FoundationEssentials

extension UUID: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .uuid }
    public static var postgresArrayType: PostgresType { .uuidArray }

    public func encode(into buffer: inout PostgresBuffer) {
        withUnsafeBytes(of: uuid) { buffer.append(contentsOf: $0) }
    }

    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .uuid, bytes.byteCount == 16 else {
            throw PostgresError.mismatch(type, UUID.self)
        }
        self.init(uuid: bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }
}

/// The id of a transaction, with its epoch: never used again by another.
public struct PostgresTransactionID: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

extension PostgresTransactionID: PostgresDecodable, CustomStringConvertible {
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .xid8 else { throw PostgresError.mismatch(type, Self.self) }
        rawValue = try bytes.onlyInteger()
    }

    public var description: String { String(rawValue) }
}
