import TenureFoundation

/// Any JSON value, for handing it on: numbers keep 38 digits. Beyond them, and beyond 1e127, they
/// are what `Double` makes of them.
enum ExactJSON: Codable, Sendable {
    case null
    case bool(Bool)
    case whole(Int64)
    case decimal(Decimal)
    case number(Double)
    case text(String)
    case array([ExactJSON])
    case object([String: ExactJSON])

    init(text: String) throws {
        self = try JSONDecoder().decode(ExactJSON.self, from: Data(text.utf8))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }
        // Reason for `try?`: a type that doesn't fit is how one finds the type.
        func found<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
        if let value = found(Bool.self) {
            self = .bool(value)
        } else if let value = found(String.self) {
            self = .text(value)
        } else if let value = found([ExactJSON].self) {
            self = .array(value)
        } else if let value = found([String: ExactJSON].self) {
            self = .object(value)
        } else if let value = found(Int64.self) {
            self = .whole(value)
        } else if let value = found(Decimal.self), value.isFinite {
            self = .decimal(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .whole(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }

    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
