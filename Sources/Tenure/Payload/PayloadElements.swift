/// The elements of an array, one after the other.
struct PayloadElements: UnkeyedDecodingContainer {
    private let document: PayloadDocument
    private var node: UInt32
    private var index: UInt32 = 0
    private let size: UInt32

    init(_ document: PayloadDocument, _ array: UInt32) throws {
        self.document = document
        (node, size) = try document.array(at: array)
    }

    /// As of `PayloadNodeDecoder`.
    var codingPath: [any CodingKey] {
        _ = document.left()
        return []
    }
    var count: Int? { Int(size) }
    var isAtEnd: Bool { index >= size }
    var currentIndex: Int { Int(index) }

    /// What fails here is not gone on with: Foundation begins anew.
    private mutating func take() throws -> UInt32 {
        guard index < size else { throw document.left() }
        let taken = node
        node = try document.next(after: taken)
        index += 1
        return taken
    }

    mutating func decodeNil() throws -> Bool {
        guard index < size else { throw document.left() }
        guard try document.isNull(at: node) else { return false }
        _ = try take()
        return true
    }

    mutating func decode<Scalar: PayloadScalar>(_ type: Scalar.Type) throws -> Scalar {
        try Scalar(document, at: try take())
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.value(at: try take(), as: type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(try PayloadFields<Nested>(document, try take()))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try PayloadElements(document, try take())
    }

    mutating func superDecoder() throws -> any Decoder { throw document.left() }
}
