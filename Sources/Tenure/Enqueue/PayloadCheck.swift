/// Refuses payloads that PostgreSQL's jsonb would refuse, inflate or choke on: one pass over the
/// bytes, no recursion, and an error that names the field.
///
/// Limits: 1 MiB of UTF-8; depth 64; no NUL (`\u0000`); numbers of at most 64 digits with an
/// exponent within ±308 (jsonb prints `1e131071` as 131,072 digits); a key that stands twice
/// in an object is not refused, the last one wins.
package struct PayloadCheck {
    static let largest = JobLimits.largestPayload
    static let deepest = 64
    static let longestNumber = 64
    static let largestExponent = 308

    private let bytes: UnsafeBufferPointer<UInt8>
    /// What it is the payload of, or another text like one.
    private let field: String
    private var at = 0
    private var path: [Step] = []

    private enum Step {
        case key(Range<Int>)
        case index(Int)
    }

    package static func check(_ json: String, of field: String = "payload") throws {
        var json = json
        try json.withUTF8 { bytes in
            guard bytes.count <= largest else {
                throw TenureError(
                    .invalidJob,
                    "\(field) has \(bytes.count) bytes, at most \(largest) are allowed; "
                        + "store it elsewhere and enqueue a reference")
            }
            var check = PayloadCheck(bytes, of: field)
            try check.run()
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, of field: String) {
        self.bytes = bytes
        self.field = field
    }

    /// Values and closing brackets alternate; `path` is the stack.
    private mutating func run() throws {
        try value()
        while !path.isEmpty {
            skipSpace()
            switch (path[path.count - 1], peek()) {
            case (.key, UInt8(ascii: ",")):
                at += 1
                path.removeLast()
                try key()
                try value()
            case (.index(let index), UInt8(ascii: ",")):
                at += 1
                path[path.count - 1] = .index(index + 1)
                try value()
            case (.key, UInt8(ascii: "}")), (.index, UInt8(ascii: "]")):
                at += 1
                path.removeLast()
            default:
                throw bad("is not JSON: expected a comma or the end of an object or array")
            }
        }
        skipSpace()
        guard at == bytes.count else { throw bad("is not JSON: something follows its end") }
    }

    private mutating func value() throws {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): try open(closing: UInt8(ascii: "}"))
        case UInt8(ascii: "["): try open(closing: UInt8(ascii: "]"))
        case UInt8(ascii: "\""): _ = try string()
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: throw bad("is not JSON: expected a value")
        }
    }

    private mutating func open(closing: UInt8) throws {
        at += 1
        skipSpace()
        if peek() == closing {
            at += 1
            return
        }
        guard path.count < Self.deepest else {
            throw bad("is nested deeper than \(Self.deepest) levels; flatten it")
        }
        if closing == UInt8(ascii: "}") {
            try key()
        } else {
            path.append(.index(0))
        }
        try value()
    }

    private mutating func key() throws {
        skipSpace()
        guard peek() == UInt8(ascii: "\"") else { throw bad("is not JSON: expected a field name") }
        path.append(.key(try string()))
        skipSpace()
        guard peek() == UInt8(ascii: ":") else { throw bad("is not JSON: expected a colon") }
        at += 1
    }

    private mutating func string() throws -> Range<Int> {
        at += 1
        let start = at
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return start..<(at - 1)
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw bad("is not JSON: a control character in a string")
            default: at += 1
            }
        }
        throw bad("is not JSON: a string does not end")
    }

    private mutating func escape() throws {
        at += 1
        guard let byte = peek() else { throw bad("is not JSON: a string does not end") }
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else {
                throw bad("is not JSON: an unknown escape in a string")
            }
            at += 1
            return
        }
        let unit = try hex()
        switch unit {
        case 0: throw bad("contains \\u0000, which PostgreSQL can't store; remove it")
        case 0xD800..<0xDC00:
            guard peek() == UInt8(ascii: "\\"), at + 1 < bytes.count,
                bytes[at + 1] == UInt8(ascii: "u")
            else { throw bad("contains half of a surrogate pair; remove it") }
            at += 1
            guard (0xDC00..<0xE000).contains(try hex()) else {
                throw bad("contains half of a surrogate pair; remove it")
            }
        case 0xDC00..<0xE000: throw bad("contains half of a surrogate pair; remove it")
        default: break
        }
    }

    /// Four hexadecimal digits after the `u` that `at` stands on.
    private mutating func hex() throws -> UInt32 {
        guard at + 4 < bytes.count else { throw bad("is not JSON: a string does not end") }
        var unit: UInt32 = 0
        for offset in 1...4 {
            guard let digit = Character(UnicodeScalar(bytes[at + offset])).hexDigitValue else {
                throw bad("is not JSON: an unknown escape in a string")
            }
            unit = unit << 4 | UInt32(digit)
        }
        at += 5
        return unit
    }

    private mutating func number() throws {
        let start = at
        if peek() == UInt8(ascii: "-") { at += 1 }
        let whole = digits()
        guard whole > 0 else { throw bad("is not JSON: a number without digits") }
        if whole > 1, bytes[at - whole] == UInt8(ascii: "0") {
            throw bad("is not JSON: a number with a leading zero")
        }
        if peek() == UInt8(ascii: ".") {
            at += 1
            guard digits() > 0 else { throw bad("is not JSON: a number without digits") }
        }
        guard at - start <= Self.longestNumber else {
            throw bad("is a number of \(at - start) characters; send it as a string")
        }
        guard peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") else { return }
        at += 1
        if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { at += 1 }
        let length = digits()
        guard length > 0 else { throw bad("is not JSON: a number without digits") }
        let exponent = Int(String(decoding: bytes[(at - length)..<at], as: UTF8.self))
        guard let exponent, exponent <= Self.largestExponent else {
            throw bad("is a number beyond 1e\(Self.largestExponent); send it as a string")
        }
    }

    private mutating func digits() -> Int {
        let start = at
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
        return at - start
    }

    private mutating func word(_ word: StaticString) throws {
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count,
            zip(bytes[at..<end], UnsafeBufferPointer(start: word.utf8Start, count: end - at))
                .allSatisfy({ $0 == $1 })
        else { throw bad("is not JSON: expected a value") }
        at = end
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte), byte != 0x0B,
            byte != 0x0C
        { at += 1 }
    }

    private func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

    private func bad(_ what: String) -> TenureError {
        var field = field
        for step in path {
            switch step {
            case .key(let range): field += "." + String(decoding: bytes[range], as: UTF8.self)
            case .index(let index): field += "[\(index)]"
            }
        }
        return TenureError(.invalidJob, "\(field) \(what)")
    }
}
