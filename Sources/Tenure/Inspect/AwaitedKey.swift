/// A key that a job waits for, or has waited for: `Predecessor.key(_:_:)`.
public struct AwaitedKey: Sendable, Hashable {
    public let kind: JobKind
    public let key: String
    /// The newest that the key had as the wait was written: it, or a newer one, is to be committed.
    public let generation: Generation

    package init(kind: JobKind, key: String, generation: Generation) {
        self.kind = kind
        self.key = key
        self.generation = generation
    }

    /// For people: `key "42" of invoice, generation 5 or newer`.
    package var text: String { "key \"\(key)\" of \(kind), generation \(generation) or newer" }
}

extension AwaitedKey: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["kind": kind, "key": key, "generation": generation])
    }
}
