import FoundationEssentials

/// Results for programs: one object or one array, keys in a stable order, times as ISO 8601.
enum JSONText {
    static func encode(_ value: some Encodable) throws -> String {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// On one line, for results that come one after the other.
    static func line(_ value: some Encodable) throws -> String {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func encode(
        _ value: some Encodable, _ format: JSONEncoder.OutputFormatting
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = format
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(TimeText.exact(date))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// A JSON document that came as text, put into another one as it is.
struct RawJSON: Encodable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    func encode(to encoder: any Encoder) throws {
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        try value.encode(to: encoder)
    }
}

/// Any JSON value.
enum JSONValue: Codable {
    case null
    case bool(Bool)
    case whole(Int64)
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

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
        } else if let value = found(Int64.self) {
            self = .whole(value)
        } else if let value = found(Double.self) {
            self = .number(value)
        } else if let value = found(String.self) {
            self = .text(value)
        } else if let value = found([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
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
