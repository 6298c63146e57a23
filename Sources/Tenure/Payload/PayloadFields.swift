/// The fields of an object.
struct PayloadFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: PayloadDocument
    private let object: UInt32

    init(_ document: PayloadDocument, _ object: UInt32) throws {
        try document.checkObject(at: object)
        self.document = document
        self.object = object
    }

    /// As of `PayloadNodeDecoder`.
    var codingPath: [any CodingKey] {
        _ = document.left()
        return []
    }

    var allKeys: [Key] {
        // Reason for `try?`: the document knows that nothing comes of it.
        (try? document.keys(of: object).compactMap { Key(stringValue: $0) }) ?? []
    }

    func contains(_ key: Key) -> Bool {
        // Reason for `try?`: as above.
        (try? document.find(key.stringValue, in: object)) != nil
    }

    private func find(_ key: Key) throws -> UInt32 {
        guard let node = try document.find(key.stringValue, in: object) else {
            throw document.left()
        }
        return node
    }

    func decodeNil(forKey key: Key) throws -> Bool { try document.isNull(at: try find(key)) }

    func decode<Scalar: PayloadScalar>(_ type: Scalar.Type, forKey key: Key) throws -> Scalar {
        try Scalar(document, at: try find(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try document.value(at: try find(key), as: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try PayloadFields<Nested>(document, try find(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try PayloadElements(document, try find(key))
    }

    /// That of a class: seldom enough to be Foundation's.
    func superDecoder() throws -> any Decoder { throw document.left() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw document.left() }
}
