import TenureFoundation

/// Results for programs: one object or one array, keys in a stable order, times as ISO 8601.
package enum JSONText {
    package static func encode(_ value: some Encodable) throws -> String {
        try encode(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// On one line, for results that come one after the other.
    package static func line(_ value: some Encodable) throws -> String {
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
package struct RawJSON: Encodable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package func encode(to encoder: any Encoder) throws {
        let value = try JSONDecoder().decode(PayloadValue.self, from: Data(text.utf8))
        try value.encode(to: encoder)
    }
}
