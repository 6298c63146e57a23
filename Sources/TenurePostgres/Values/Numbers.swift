/// int2, int4 and int8, read into any of Swift's that the value fits.
private func decodeInteger<Integer: FixedWidthInteger>(
    _ bytes: RawSpan, _ type: PostgresType, as: Integer.Type = Integer.self
) throws -> Integer {
    let wide: Int64
    switch type {
    case .int8: wide = try bytes.onlyInteger()
    case .int4: wide = Int64(try bytes.onlyInteger(as: Int32.self))
    case .int2: wide = Int64(try bytes.onlyInteger(as: Int16.self))
    case .oid: wide = Int64(try bytes.onlyInteger(as: UInt32.self))
    default: throw PostgresError.mismatch(type, Integer.self)
    }
    guard let value = Integer(exactly: wide) else {
        throw PostgresError(.decodingFailed, "the value doesn't fit into \(Integer.self)")
    }
    return value
}

extension Int16: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .int2 }
    public static var postgresArrayType: PostgresType { .int2Array }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(self) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        self = try decodeInteger(bytes, type)
    }
}

extension Int32: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .int4 }
    public static var postgresArrayType: PostgresType { .int4Array }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(self) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        self = try decodeInteger(bytes, type)
    }
}

extension Int64: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .int8 }
    public static var postgresArrayType: PostgresType { .int8Array }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(self) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        self = try decodeInteger(bytes, type)
    }
    public static func encode(_ elements: [Int64], into buffer: inout PostgresBuffer) throws {
        try encodeFixed(elements, into: &buffer)
    }
}

extension Int: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .int8 }
    public static var postgresArrayType: PostgresType { .int8Array }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(Int64(self)) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        self = try decodeInteger(bytes, type)
    }
    public static func encode(_ elements: [Int], into buffer: inout PostgresBuffer) throws {
        try encodeFixed(elements, into: &buffer)
    }
}

extension Double: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .float8 }
    public static var postgresArrayType: PostgresType { .float8Array }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(bitPattern) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        switch type {
        case .float8: self = Double(bitPattern: try bytes.onlyInteger())
        case .float4: self = Double(Float(bitPattern: try bytes.onlyInteger()))
        default: throw PostgresError.mismatch(type, Double.self)
        }
    }
}

extension Bool: PostgresValue, PostgresArrayElement {
    public static var postgresType: PostgresType { .bool }
    public static var postgresArrayType: PostgresType { .boolArray }
    public func encode(into buffer: inout PostgresBuffer) { buffer.append(UInt8(self ? 1 : 0)) }
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == .bool else { throw PostgresError.mismatch(type, Bool.self) }
        self = try bytes.onlyInteger(as: UInt8.self) != 0
    }
}
