/// A reader for the corpora: Foundation's refuses the lone surrogates that some cases are about.
/// Here they become U+FFFD, as they do wherever a string enters the standards.
indirect enum JSON {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
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
        if case .string(let value) = self { value } else { nil }
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
            members.append((key, value()))
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

    private mutating func string() -> String {
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
        return String(decoding: units, as: UTF8.self)
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
        case UInt8(ascii: "u"): units += String(unicode()).utf8
        default: units.append(kind)
        }
    }

    private mutating func unicode() -> Unicode.Scalar {
        let first = hex()
        guard (0xD800..<0xDC00).contains(first), bytes[index...].starts(with: "\\u".utf8) else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        let mark = index
        index += 2
        let second = hex()
        guard (0xDC00..<0xE000).contains(second) else {
            index = mark
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hex() -> UInt32 {
        defer { index += 4 }
        return UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16) ?? 0
    }
}
