/// A JSON document as it is sent and read: nobody parses it on the way.
public struct PostgresJSON: Hashable, Sendable {
    /// UTF-8.
    public let bytes: [UInt8]
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    public init(_ text: String) { bytes = Array(text.utf8) }
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

extension PostgresJSON: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .jsonb }
    public static var postgresArrayType: PostgresType { .jsonbArray }
    /// The only version of jsonb's binary format there is.
    private static let version: UInt8 = 1

    public func encode(into buffer: inout PostgresBuffer) {
        buffer.append(Self.version)
        buffer.append(contentsOf: bytes)
    }

    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        switch type {
        case .json, .text: self.init(bytes: bytes.array)
        case .jsonb:
            try Self.checkVersion(of: bytes)
            self.init(bytes: bytes.extracting(1...).array)
        default: throw PostgresError.mismatch(type, PostgresJSON.self)
        }
    }

    /// The document stands behind it.
    static func checkVersion(of bytes: RawSpan) throws {
        guard bytes.byteCount > 0, bytes.integer(as: UInt8.self) == version else {
            throw PostgresError(.decodingFailed, "an unknown version of jsonb")
        }
    }
}
