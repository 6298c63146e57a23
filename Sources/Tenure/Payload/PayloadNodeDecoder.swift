/// The decoder of one value. Small enough that it needs no memory where it is taken for `Decoder`.
struct PayloadNodeDecoder: Decoder, SingleValueDecodingContainer {
    let document: PayloadDocument
    let node: UInt32

    /// Who asks for it is about to tell where something is wrong, mostly.
    var codingPath: [any CodingKey] {
        _ = document.left()
        return []
    }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        try document.checkIsCurrent(node)
        return KeyedDecodingContainer(try PayloadFields(document, node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try document.checkIsCurrent(node)
        return try PayloadElements(document, node)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: Its value

    func decodeNil() -> Bool {
        do {
            try document.checkIsCurrent(node)
            return try document.isNull(at: node)
        } catch {
            return false
        }
    }

    func decode<Scalar: PayloadScalar>(_ type: Scalar.Type) throws -> Scalar {
        try document.checkIsCurrent(node)
        return try Scalar(document, at: node)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.checkIsCurrent(node)
        return try document.value(at: node, as: type)
    }
}
