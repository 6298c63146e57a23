/// Reads one JSON text. What is open lies on a stack of its own: nesting costs no call.
struct JSONReader {
    private struct Container {
        var isObject: Bool
        var values: [JSONValue] = []
        var members: [JSONValue.Member] = []
        /// The key whose value comes next.
        var key = ""

        var finished: JSONValue { isObject ? .object(members) : .array(values) }

        mutating func add(_ value: JSONValue) {
            if isObject {
                members.append(.init(key: key, value: value))
            } else {
                values.append(value)
            }
        }
    }

    let bytes: [UInt8]
    let limits: JSONLimits
    var isLenient = false
    var index = 0
    private var open: [Container] = []
    private var count = 0

    init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    mutating func read() throws(JSONError) -> JSONValue {
        while true {
            guard var value = try begin() else { continue }
            while true {
                skipSpace()
                guard !open.isEmpty else {
                    if index < bytes.count { throw failure(.trailing) }
                    return value
                }
                open[open.count - 1].add(value)
                if try goesOn() { break }
                value = open.removeLast().finished
            }
        }
    }

    /// A value without parts; nil when a container was opened whose first value comes next.
    private mutating func begin() throws(JSONError) -> JSONValue? {
        skipSpace()
        try countOne()
        guard index < bytes.count else { throw failure(.valueExpected) }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try beginContainer(isObject: true)
        case UInt8(ascii: "["): return try beginContainer(isObject: false)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default:
            if take("true") { return .bool(true) }
            if take("false") { return .bool(false) }
            if take("null") { return .null }
            throw failure(.valueExpected)
        }
    }

    private mutating func beginContainer(isObject: Bool) throws(JSONError) -> JSONValue? {
        if open.count >= limits.maxDepth { throw failure(.tooDeep) }
        index += 1
        skipSpace()
        if take(isObject ? "}" : "]") { return isObject ? .object([]) : .array([]) }
        open.append(Container(isObject: isObject))
        if isObject { try key() }
        return nil
    }

    /// Behind a value: whether another comes in the same container.
    private mutating func goesOn() throws(JSONError) -> Bool {
        let isObject = open[open.count - 1].isObject
        if take(isObject ? "}" : "]") { return false }
        guard take(",") else { throw failure(.separatorExpected) }
        skipSpace()
        if isLenient, take(isObject ? "}" : "]") { return false }
        if isObject { try key() }
        return true
    }

    private mutating func key() throws(JSONError) {
        try countOne()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            throw failure(.keyExpected)
        }
        open[open.count - 1].key = try string()
        skipSpace()
        guard take(":") else { throw failure(.colonExpected) }
    }

    private mutating func countOne() throws(JSONError) {
        count += 1
        if count > limits.maxValues { throw failure(.tooLarge) }
    }

    private mutating func skipSpace() {
        while index < bytes.count, " \n\r\t".utf8.contains(bytes[index]) { index += 1 }
    }

    mutating func take(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard index + length <= bytes.count else { return false }
        for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] {
            return false
        }
        index += length
        return true
    }

    func failure(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: index) }
}
