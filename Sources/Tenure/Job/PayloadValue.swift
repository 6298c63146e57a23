/// Any JSON value. Numbers are read as Swift holds them: for showing, not for storing.
package enum PayloadValue: Codable, Sendable {
    case null
    case bool(Bool)
    case whole(Int64)
    case number(Double)
    case text(String)
    case array([PayloadValue])
    case object([String: PayloadValue])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }
        // Reason for `try?`: a type that doesn't fit is how one finds the type.
        func found<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
        if let value = found(Bool.self) {
            self = .bool(value)
        } else if let value = found(Int64.self) {
            self = .whole(value)
        } else if let value = found(Double.self) {
            self = .number(value)
        } else if let value = found(String.self) {
            self = .text(value)
        } else if let value = found([PayloadValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: PayloadValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .whole(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
