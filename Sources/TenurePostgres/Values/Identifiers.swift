public import TenureFoundation

extension UUID: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .uuid }
    public static var postgresArrayType: PostgresType { .uuidArray }

    public func encode(into buffer: inout PostgresBuffer) {
        withUnsafeBytes(of: uuid) { buffer.append(contentsOf: $0) }
    }

    public static func encode(_ elements: [UUID], into buffer: inout PostgresBuffer) throws {
        encodeFixed(elements, size: 16, into: &buffer) { element, place in
            place.storeBytes(of: element.uuid, as: uuid_t.self)
        }
    }

    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .uuid, bytes.byteCount == 16 else {
            throw PostgresError.mismatch(type, UUID.self)
        }
        self.init(uuid: bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }
}

extension PostgresTransactionID: PostgresDecodable {
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .xid8 else { throw PostgresError.mismatch(type, Self.self) }
        rawValue = try bytes.onlyInteger()
    }
}
