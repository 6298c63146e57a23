/// A value that can be a parameter. Sent in PostgreSQL's binary format.
public protocol PostgresEncodable: Sendable {
    /// What the statement is told that the parameter is; it must fit the bytes of `encode`.
    static var postgresType: PostgresType { get }
    /// NULL is sent in place of the bytes.
    var isPostgresNull: Bool { get }
    func encode(into buffer: inout PostgresBuffer) throws
}

/// A value that can be read from a column. NULL is read as an optional.
public protocol PostgresDecodable {
    /// - Parameters:
    ///   - bytes: the binary format of `type`, valid during the call.
    ///   - type: what the column is.
    /// - Throws: `PostgresError` (`.decodingFailed`).
    init(postgres bytes: RawSpan, type: PostgresType) throws
}

public typealias PostgresValue = PostgresEncodable & PostgresDecodable

/// A value whose arrays are PostgreSQL arrays.
public protocol PostgresArrayElement: Sendable {
    static var postgresArrayType: PostgresType { get }
    static func encode(_ elements: [Self], into buffer: inout PostgresBuffer) throws
    static func decode(_ bytes: RawSpan, type: PostgresType) throws -> [Self]
}

extension PostgresEncodable {
    public var isPostgresNull: Bool { false }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    public static var postgresType: PostgresType { Wrapped.postgresType }

    public var isPostgresNull: Bool { self?.isPostgresNull ?? true }

    public func encode(into buffer: inout PostgresBuffer) throws {
        try self?.encode(into: &buffer)
    }
}

// MARK: - Enums and other names for a value

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    public static var postgresType: PostgresType { RawValue.postgresType }

    public func encode(into buffer: inout PostgresBuffer) throws {
        try rawValue.encode(into: &buffer)
    }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    public init(postgres bytes: RawSpan, type: PostgresType) throws {
        let rawValue = try RawValue(postgres: bytes, type: type)
        guard let value = Self(rawValue: rawValue) else {
            throw PostgresError(.decodingFailed, "no \(Self.self) has the value read")
        }
        self = value
    }
}

extension PostgresArrayElement where Self: RawRepresentable, RawValue: PostgresArrayElement {
    public static var postgresArrayType: PostgresType { RawValue.postgresArrayType }
}
