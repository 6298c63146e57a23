/// A JSON text (RFC 8259) as a value, for the metadata that pages carry in it.
public indirect enum JSONValue: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public var key: String
        public var value: JSONValue
    }

    case null
    case bool(Bool)
    case number(Double)
    /// A lone surrogate of an escape has become U+FFFD.
    case string(String)
    case array([JSONValue])
    /// In the order of the text, with keys as often as they are there.
    case object([Member])

    /// Reads a text in UTF-8, with or without a byte order mark.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard UTF8Bytes.isValid(bytes) else { throw JSONError(code: .notUTF8, offset: 0) }
        var reader = JSONReader(bytes: bytes, limits: limits)
        self = try reader.read()
    }

    /// As `init(parsing:limits:)`, but with newlines and other controls in strings, as they are
    /// found in pages, and with commas behind the last value.
    init(lenient bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
        guard UTF8Bytes.isValid(bytes) else { throw JSONError(code: .notUTF8, offset: 0) }
        var reader = JSONReader(bytes: bytes, limits: limits)
        reader.isLenient = true
        self = try reader.read()
    }

    /// Of an object, the member called `key`; the last, if there are several.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The items of an array; anything else as the only item, as JSON-LD means it; none of null.
    public var items: [JSONValue] {
        switch self {
        case .array(let values): values
        case .null: []
        default: [self]
        }
    }
}

/// How much a JSON text may hold.
public struct JSONLimits: Sendable {
    /// Arrays and objects inside of one another.
    public var maxDepth = 512
    /// Values of every kind, the outermost and each key included.
    public var maxValues = 500_000

    public init() {}
}

/// Why a text is not JSON, or not read as such.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable {
        case notUTF8 = "not UTF-8"
        case valueExpected = "a value is missing"
        case keyExpected = "a key in quotes is missing"
        case colonExpected = "a colon is missing"
        case separatorExpected = "neither a comma nor the end of what is open"
        case stringInvalid = "a string is not in order"
        case numberInvalid = "a number is not in order"
        case trailing = "there is more behind the value"
        case tooDeep = "too deeply nested"
        case tooLarge = "too many values"
    }

    public let code: Code
    /// The byte at which it shows.
    public let offset: Int

    public init(code: Code, offset: Int) {
        self.code = code
        self.offset = offset
    }

    public var description: String { "invalid JSON at byte \(offset): \(code.rawValue)" }
}
