import Foundation

/// A JSON value that tests write down.
indirect enum Value: Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([Value])
    case object(Row)

    /// Integers for what was written as one, to the hundredth of a second for times.
    static func boot(_ seconds: Double) -> Value { .number((seconds * 1e6).rounded() / 1e6) }

    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "\"" + value.replacing("\"", with: "\\\"") + "\""
        case .list(let values): "[" + values.map(\.json).joined(separator: ", ") + "]"
        case .object(let row): row.json
        }
    }

    var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
}

typealias Row = [String: Value]

extension Row {
    var json: String {
        "{"
            + sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.json)" }
            .joined(separator: ", ") + "}"
    }

    func with(_ changes: Row) -> Row { merging(changes) { $1 } }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByStringInterpolation
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
}
