/// A field that is there for programs also when it has no value: as null.
@propertyWrapper
package struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue value: Value?) { wrappedValue = value }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
