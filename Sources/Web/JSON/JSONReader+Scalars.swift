/// Strings and numbers (RFC 8259, sections 6 and 7).
extension JSONReader {
    mutating func string() throws(JSONError) -> String {
        index += 1
        var result: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                try escape(&result)
            case 0..<0x20 where !isLenient:
                throw failure(.stringInvalid)
            default:
                result.append(byte)
                index += 1
            }
        }
        throw failure(.stringInvalid)
    }

    private mutating func escape(_ result: inout [UInt8]) throws(JSONError) {
        guard index < bytes.count else { throw failure(.stringInvalid) }
        let kind = bytes[index]
        index += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(kind)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): result.appendUTF8(try unicode())
        default:
            index -= 1
            throw failure(.stringInvalid)
        }
    }

    /// One character out of one escape or, if it begins a pair of surrogates, two.
    private mutating func unicode() throws(JSONError) -> UInt32 {
        let first = try fourDigits()
        guard (0xD800...0xDFFF).contains(first) else { return first }
        let mark = index
        if first < 0xDC00, take("\\u") {
            let second = try fourDigits()
            if (0xDC00...0xDFFF).contains(second) {
                return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
            }
            index = mark
        }
        return 0xFFFD
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = bytes[index].hexValue else {
                throw failure(.stringInvalid)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    mutating func number() throws(JSONError) -> Double {
        let start = index
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return Double(String(decoding: bytes[start..<index], as: UTF8.self)) ?? 0
    }

    private mutating func digits() throws(JSONError) {
        let start = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        if index == start { throw failure(.numberInvalid) }
    }
}
