import TenureFoundation
import Testing
import Web

/// Every JSON text that comes of one by putting an extreme in the place of one of its numbers.
///
/// What is tried follows from the text's own shape: a field that is new is tried as well, as soon
/// as a sample has it; and a sample that lacks one is told so by `expectComplete`.
enum Extremes {
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "1e300", "-1e300", "1.7976931348623157e308", "1e400", "-1e400",
        "5e-324", "-5e-324", "0", "-0", "-0.0", "-1", "1", "0.1", "2147483647", "2147483648",
        "-2147483648", "-2147483649", "4294967296", "9007199254740992", "9007199254740993",
        "9.3e18", "1.7e20", "1e18", "1e9", "999999999.999",
        "340282366920938463463374607431768211456",
        String(repeating: "9", count: 4000), "1" + String(repeating: "0", count: 400) + ".5",
    ]
    /// No JSON, and what some coders write all the same; and other types.
    static let others = [
        "NaN", "\"NaN\"", "Infinity", "null", "true", "\"\"", "[]", "{}", "\"1e300\"",
    ]

    static func texts(of sample: [UInt8], _ extremes: [String] = numbers + others) throws
        -> [String]
    {
        let value = try JSONValue(parsing: sample)
        let places = count(in: value)
        return (0..<places).flatMap { place in
            extremes.map { extreme in
                var left = place
                return text(value, extreme, &left)
            }
        }
    }

    static func count(in value: JSONValue) -> Int {
        switch value {
        case .number: 1
        case .array(let values): values.reduce(0) { $0 + count(in: $1) }
        case .object(let members): members.reduce(0) { $0 + count(in: $1.value) }
        default: 0
        }
    }

    private static func text(_ value: JSONValue, _ extreme: String, _ left: inout Int) -> String {
        switch value {
        case .null: return "null"
        case .bool(let flag): return "\(flag)"
        case .string(let text): return quoted(text)
        case .number(let number):
            left -= 1
            if left == -1 { return extreme }
            return number == number.rounded() ? String(Int(number)) : "\(number)"
        case .array(let values):
            return "[" + values.map { text($0, extreme, &left) }.joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.map { "\(quoted($0.key)):\(text($0.value, extreme, &left))" }
            return "{" + parts.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// That a sample has a value for each of its fields, those of what it holds included.
    static func expectComplete(
        _ sample: Any, _ path: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for child in Mirror(reflecting: sample).children {
            let name = path + "." + (child.label ?? "")
            let mirror = Mirror(reflecting: child.value)
            if mirror.displayStyle == .optional, mirror.children.isEmpty {
                Issue.record("\(name) has no value to vary", sourceLocation: sourceLocation)
            }
            let isOptional = mirror.displayStyle == .optional
            let held: Any? = isOptional ? mirror.children.first.map(\.value) : .some(child.value)
            if let held, Mirror(reflecting: held).displayStyle == .struct, !(held is UUID) {
                expectComplete(held, name, sourceLocation: sourceLocation)
            }
        }
    }
}
