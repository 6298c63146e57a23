/// A reader for the corpora: Foundation's refuses the lone surrogates that some cases are about.
/// As a string they become U+FFFD, as they do wherever a string enters the standards; as bytes
/// they keep the form that UTF-8 would give them ("WTF-8").
indirect enum JSON {
    case null
    case bool(Bool)
    case number(Double)
    case string([UInt8])
    case array([JSON])
    case object([(String, JSON)])

    static func parse(_ bytes: [UInt8]) -> JSON {
        var reader = JSONReader(bytes: bytes)
        return reader.value()
    }

    subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.0 == key }?.1
    }

    var string: String? {
        guard case .string(let bytes) = self else { return nil }
        return String(decoding: JSON.replacingSurrogates(bytes), as: UTF8.self)
    }

    var bytes: [UInt8]? {
        if case .string(let bytes) = self { bytes } else { nil }
    }

    private static func replacingSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for index in bytes.indices.dropLast(2) where bytes[index] == 0xED {
            guard bytes[index + 1] >= 0xA0 else { continue }
            result.replaceSubrange(index...index + 2, with: [0xEF, 0xBF, 0xBD])
        }
        return result
    }

    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    var array: [JSON] {
        if case .array(let values) = self { values } else { [] }
    }

    var members: [(String, JSON)] {
        if case .object(let members) = self { members } else { [] }
    }
}

private struct JSONReader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func value() -> JSON {
        skipSpace()
        switch bytes[index] {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""): return .string(string())
        default: return literal()
        }
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func skipSeparator() {
        skipSpace()
        if bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: ":") { index += 1 }
        skipSpace()
    }

    private mutating func object() -> JSON {
        index += 1
        var members: [(String, JSON)] = []
        skipSpace()
        while bytes[index] != UInt8(ascii: "}") {
            let key = string()
            skipSeparator()
            members.append((JSON.string(key).string ?? "", value()))
            skipSeparator()
        }
        index += 1
        return .object(members)
    }

    private mutating func array() -> JSON {
        index += 1
        var values: [JSON] = []
        skipSpace()
        while bytes[index] != UInt8(ascii: "]") {
            values.append(value())
            skipSeparator()
        }
        index += 1
        return .array(values)
    }

    private mutating func literal() -> JSON {
        let start = index
        while index < bytes.count, !",]} \n\r\t".utf8.contains(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch text {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return .number(Double(text) ?? .nan)
        }
    }

    private mutating func string() -> [UInt8] {
        index += 1
        var units: [UInt8] = []
        while bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                escape(&units)
            } else {
                units.append(bytes[index])
                index += 1
            }
        }
        index += 1
        return units
    }

    private mutating func escape(_ units: inout [UInt8]) {
        let kind = bytes[index + 1]
        index += 2
        switch kind {
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "u"): append(unicode(), to: &units)
        default: units.append(kind)
        }
    }

    private func append(_ code: UInt32, to units: inout [UInt8]) {
        if let scalar = Unicode.Scalar(code) {
            units += String(scalar).utf8
        } else {
            units += [0xED, UInt8(0x80 | code >> 6 & 0x3F), UInt8(0x80 | code & 0x3F)]
        }
    }

    private mutating func unicode() -> UInt32 {
        let first = hex()
        guard (0xD800..<0xDC00).contains(first), bytes[index...].starts(with: "\\u".utf8) else {
            return first
        }
        let mark = index
        index += 2
        let second = hex()
        guard (0xDC00..<0xE000).contains(second) else {
            index = mark
            return first
        }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private mutating func hex() -> UInt32 {
        defer { index += 4 }
        return UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16) ?? 0
    }
}
