import TenureSystem

extension String: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .text }
    public static var postgresArrayType: PostgresType { .textArray }

    public func encode(into buffer: inout PostgresBuffer) throws {
        var text = self
        let hasNull = text.withUTF8 { bytes in
            buffer.append(contentsOf: bytes)
            return bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        // The server would refuse it too, but as an error of the encoding, far from the value.
        if hasNull {
            throw PostgresError(
                .encodingFailed, "text can't hold the character U+0000",
                hint: "Remove it, or send the bytes as bytea")
        }
    }

    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        switch type {
        case .text, .varchar, .bpchar, .name, .unknown, .char, .json:
            self = bytes.text
        case .jsonb:
            try PostgresJSON.checkVersion(of: bytes)
            self = bytes.extracting(1...).text
        default:
            guard type.isUserDefined else { throw PostgresError.mismatch(type, String.self) }
            self = bytes.text
        }
    }
}

extension RawSpan {
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
