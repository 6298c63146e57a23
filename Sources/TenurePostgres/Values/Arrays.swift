// The binary format of an array: the number of dimensions, whether there are NULLs, the element's
// type; for each dimension its length and its lower bound; each element behind its length.

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    public static var postgresType: PostgresType { Element.postgresArrayType }

    public func encode(into buffer: inout PostgresBuffer) throws {
        try Element.encode(self, into: &buffer)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        self = try Element.decode(bytes, type: type)
    }
}

extension PostgresArrayElement where Self: PostgresValue {
    public static func encode(_ elements: [Self], into buffer: inout PostgresBuffer) throws {
        try encodeArray(elements, of: postgresType, into: &buffer)
    }

    public static func decode(_ bytes: RawSpan, type: PostgresType) throws -> [Self] {
        try decodeArray(bytes) { element, type in
            guard let element else {
                throw PostgresError(
                    .decodingFailed, "the array holds NULL", hint: "Read it as [\(Self.self)?]")
            }
            return try Self(postgres: element, type: type)
        }
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement & PostgresValue {
    public static var postgresArrayType: PostgresType { Wrapped.postgresArrayType }

    public static func encode(_ elements: [Self], into buffer: inout PostgresBuffer) throws {
        try encodeArray(elements, of: Wrapped.postgresType, into: &buffer)
    }

    public static func decode(_ bytes: RawSpan, type: PostgresType) throws -> [Self] {
        try decodeArray(bytes) { element, type in
            guard let element else { return nil }
            return try Wrapped(postgres: element, type: type)
        }
    }
}

private func encodeArray<Element: PostgresEncodable>(
    _ elements: [Element], of type: PostgresType, into buffer: inout PostgresBuffer
) throws {
    let hasNull = elements.contains { $0.isPostgresNull }
    appendHeader(count: elements.count, hasNull: hasNull, type: type, to: &buffer)
    for element in elements {
        if element.isPostgresNull {
            buffer.append(Int32(-1))
        } else {
            try buffer.appendSized { try element.encode(into: &$0) }
        }
    }
}

/// int8 arrays carry every bulk statement's ids: one pass, no growth.
func encodeFixed<Element: FixedWidthInteger & PostgresEncodable>(
    _ elements: [Element], into buffer: inout PostgresBuffer
) throws {
    encodeFixed(elements, size: MemoryLayout<Element>.size, into: &buffer) { element, place in
        place.storeBytes(of: element.bigEndian, as: Element.self)
    }
}

/// - Parameter store: puts an element, of so many bytes, where it is told.
@inline(__always)
func encodeFixed<Element: PostgresEncodable>(
    _ elements: [Element], size: Int, into buffer: inout PostgresBuffer,
    store: (Element, UnsafeMutableRawPointer) -> Void
) {
    appendHeader(
        count: elements.count, hasNull: false, type: Element.postgresType, to: &buffer)
    buffer.append(count: elements.count * (4 + size)) { bytes in
        guard var place = bytes.baseAddress else { return }
        for element in elements {
            place.storeBytes(of: Int32(size).bigEndian, as: Int32.self)
            store(element, place + 4)
            place += 4 + size
        }
    }
}

private func appendHeader(
    count: Int, hasNull: Bool, type: PostgresType, to buffer: inout PostgresBuffer
) {
    buffer.append(Int32(count == 0 ? 0 : 1))
    buffer.append(Int32(hasNull ? 1 : 0))
    buffer.append(type.rawValue)
    if count == 0 { return }
    buffer.append(Int32(count))
    buffer.append(Int32(1))
}

private func decodeArray<Element>(
    _ bytes: RawSpan, element: (RawSpan?, PostgresType) throws -> Element
) throws -> [Element] {
    let malformed = PostgresError(.decodingFailed, "the column is no one-dimensional array")
    guard bytes.byteCount >= 12 else { throw malformed }
    let dimensions = bytes.integer(at: 0, as: Int32.self)
    if dimensions == 0 { return [] }
    guard dimensions == 1, bytes.byteCount >= 20 else { throw malformed }
    let type = PostgresType(rawValue: bytes.integer(at: 8))
    let count = Int(bytes.integer(at: 12, as: Int32.self))
    var offset = 20
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count {
        guard offset + 4 <= bytes.byteCount else { throw malformed }
        let size = Int(bytes.integer(at: offset, as: Int32.self))
        offset += 4
        guard offset + max(size, 0) <= bytes.byteCount else { throw malformed }
        let value = size < 0 ? nil : bytes.extracting(offset..<offset + size)
        elements.append(try element(value, type))
        offset += max(size, 0)
    }
    return elements
}
