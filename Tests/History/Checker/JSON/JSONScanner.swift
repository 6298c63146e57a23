import Foundation

/// Walks over one line of JSON and stops at what was asked for. Nothing is built for the rest.
///
/// A recording has millions of lines and is judged by a debug build. Foundation's decoders make a
/// tree of every line; this leaves the long steps to `memchr`.
struct JSONScanner {
    typealias Bytes = UnsafePointer<UInt8>

    private(set) var at: Bytes
    let end: Bytes

    init(_ start: Bytes, _ end: Bytes) {
        at = start
        self.end = end
    }

    /// The next byte that isn't white space, or 0 at the end.
    mutating func peek() -> UInt8 {
        while at < end {
            let byte = at.pointee
            if byte > 0x20 { return byte }
            at += 1
        }
        return 0
    }

    mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard peek() == byte else { throw unexpected("\(Character(UnicodeScalar(byte)))") }
        at += 1
    }

    /// Steps over a comma (true) or over the closing byte (false).
    mutating func goesOn(until closing: UInt8) throws(JSONError) -> Bool {
        let byte = peek()
        if byte == ASCII.comma {
            at += 1
            return true
        }
        guard byte == closing else { throw unexpected("a comma or an end") }
        at += 1
        return false
    }

    func unexpected(_ wanted: String) -> JSONError {
        guard at < end else { return JSONError("the line ends where \(wanted) should be") }
        let found = Character(UnicodeScalar(at.pointee))
        return JSONError("`\(found)` where \(wanted) should be")
    }

    mutating func value() throws(JSONError) -> JSONValue {
        switch peek() {
        case ASCII.quote: return .text(try text())
        case ASCII.openBrace, ASCII.openBracket:
            let start = at
            try skipContainer()
            return .container(JSONSlice(start: start, count: at - start, isEscaped: false))
        case ASCII.n: return try word("null", is: .null)
        case ASCII.t: return try word("true", is: .bool(true))
        case ASCII.f: return try word("false", is: .bool(false))
        default: return try number()
        }
    }

    mutating func text() throws(JSONError) -> JSONSlice {
        try expect(ASCII.quote)
        let start = at
        guard var quote = find(ASCII.quote) else { throw JSONError("a text without its end") }
        let isEscaped = memchr(start, Int32(ASCII.backslash), quote - start) != nil
        while isEscaped, isBehindBackslash(quote, start) {
            at = quote + 1
            guard let next = find(ASCII.quote) else { throw JSONError("a text without its end") }
            quote = next
        }
        at = quote + 1
        return JSONSlice(start: start, count: quote - start, isEscaped: isEscaped)
    }

    private func find(_ byte: UInt8) -> Bytes? {
        memchr(at, Int32(byte), end - at).map { Bytes($0.assumingMemoryBound(to: UInt8.self)) }
    }

    /// Whether the byte has an odd number of backslashes before it.
    private func isBehindBackslash(_ position: Bytes, _ start: Bytes) -> Bool {
        var first = position
        while first > start, (first - 1).pointee == ASCII.backslash { first -= 1 }
        return (position - first) % 2 == 1
    }

    private mutating func word(
        _ word: StaticString, is value: JSONValue
    ) throws(JSONError) -> JSONValue {
        let length = word.utf8CodeUnitCount
        guard end - at >= length, memcmp(at, word.utf8Start, length) == 0 else {
            throw unexpected("a value")
        }
        at += length
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = at
        var digits = 0
        var decimals = 0
        var isPlain = true
        var mantissa = 0
        while at < end {
            let byte = at.pointee
            if byte >= ASCII.zero, byte <= ASCII.nine {
                digits += 1
                if digits < 18 { mantissa = mantissa &* 10 &+ Int(byte &- ASCII.zero) }
                if decimals > 0 { decimals += 1 }
            } else if byte == ASCII.point, decimals == 0 {
                decimals = 1
            } else if byte == ASCII.minus, at == start {
            } else if byte | 0x20 == ASCII.e || byte == ASCII.plus || byte == ASCII.minus {
                isPlain = false
            } else {
                break
            }
            at += 1
        }
        guard digits > 0 else { throw unexpected("a value") }
        // Up to 15 digits and a power of ten are exact, so one division rounds but once.
        guard isPlain, digits <= 15 else { return try longNumber(from: start) }
        let signed = start.pointee == ASCII.minus ? -mantissa : mantissa
        if decimals == 0 { return .integer(signed) }
        return .number(Double(signed) / Self.powers[decimals - 1])
    }

    private static let powers: [Double] = (0...16).map { pow(10, Double($0)) }

    private func longNumber(from start: Bytes) throws(JSONError) -> JSONValue {
        let slice = JSONSlice(start: start, count: at - start, isEscaped: false)
        let text = slice.string
        if let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text) else { throw JSONError("`\(text)` is no number") }
        return .number(number)
    }

    private mutating func skipContainer() throws(JSONError) {
        let isObject = at.pointee == ASCII.openBrace
        let closing = isObject ? ASCII.closeBrace : ASCII.closeBracket
        at += 1
        if peek() == closing {
            at += 1
            return
        }
        repeat {
            if isObject {
                _ = try text()
                try expect(ASCII.colon)
            }
            _ = try value()
        } while try goesOn(until: closing)
    }
}

enum ASCII {
    static let quote: UInt8 = 0x22
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let minus: UInt8 = 0x2D
    static let point: UInt8 = 0x2E
    static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    static let colon: UInt8 = 0x3A
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let e: UInt8 = 0x65
    static let f: UInt8 = 0x66
    static let n: UInt8 = 0x6E
    static let t: UInt8 = 0x74
    static let openBrace: UInt8 = 0x7B
    static let closeBrace: UInt8 = 0x7D
    static let newline: UInt8 = 0x0A
}
