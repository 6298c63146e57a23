import TenureFoundation

/// A field of what is written for programs, by its name.
package struct StatusField: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(stringValue: String) { self.stringValue = stringValue }
    package init?(intValue: Int) { nil }
}

extension Encoder {
    /// Writes a status. A field without a value is null, and never left out; ids are as people
    /// read them.
    package func write(_ fields: KeyValuePairs<String, any Encodable>) throws {
        var container = container(keyedBy: StatusField.self)
        for (name, value) in fields {
            let field = StatusField(stringValue: name)
            if let id = value as? UUID {
                try container.encode(id.uuidString.lowercased(), forKey: field)
            } else {
                try container.encode(value, forKey: field)
            }
        }
    }
}

extension Duration {
    /// As statuses tell lengths.
    package var inSeconds: Double { self / .seconds(1) }
}
