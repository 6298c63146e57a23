/// A type by its object id in `pg_type`.
public struct PostgresType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let bool = PostgresType(rawValue: 16)
    public static let bytea = PostgresType(rawValue: 17)
    public static let char = PostgresType(rawValue: 18)
    public static let name = PostgresType(rawValue: 19)
    public static let int8 = PostgresType(rawValue: 20)
    public static let int2 = PostgresType(rawValue: 21)
    public static let int4 = PostgresType(rawValue: 23)
    public static let text = PostgresType(rawValue: 25)
    public static let oid = PostgresType(rawValue: 26)
    public static let json = PostgresType(rawValue: 114)
    public static let float4 = PostgresType(rawValue: 700)
    public static let float8 = PostgresType(rawValue: 701)
    public static let unknown = PostgresType(rawValue: 705)
    public static let bpchar = PostgresType(rawValue: 1042)
    public static let varchar = PostgresType(rawValue: 1043)
    public static let date = PostgresType(rawValue: 1082)
    public static let timestamp = PostgresType(rawValue: 1114)
    public static let timestamptz = PostgresType(rawValue: 1184)
    public static let interval = PostgresType(rawValue: 1186)
    public static let numeric = PostgresType(rawValue: 1700)
    public static let uuid = PostgresType(rawValue: 2950)
    public static let jsonb = PostgresType(rawValue: 3802)
    public static let xid8 = PostgresType(rawValue: 5069)

    public static let boolArray = PostgresType(rawValue: 1000)
    public static let byteaArray = PostgresType(rawValue: 1001)
    public static let int2Array = PostgresType(rawValue: 1005)
    public static let int4Array = PostgresType(rawValue: 1007)
    public static let textArray = PostgresType(rawValue: 1009)
    public static let int8Array = PostgresType(rawValue: 1016)
    public static let float8Array = PostgresType(rawValue: 1022)
    public static let timestamptzArray = PostgresType(rawValue: 1185)
    public static let intervalArray = PostgresType(rawValue: 1187)
    public static let uuidArray = PostgresType(rawValue: 2951)
    public static let jsonbArray = PostgresType(rawValue: 3807)
}

extension PostgresType: CustomStringConvertible {
    private static let names: [PostgresType: String] = [
        .bool: "bool", .bytea: "bytea", .char: "\"char\"", .name: "name", .int8: "int8",
        .int2: "int2", .int4: "int4", .text: "text", .oid: "oid", .json: "json",
        .float4: "float4", .float8: "float8", .unknown: "unknown", .bpchar: "bpchar",
        .varchar: "varchar", .date: "date", .timestamp: "timestamp",
        .timestamptz: "timestamptz", .interval: "interval", .numeric: "numeric",
        .uuid: "uuid", .jsonb: "jsonb", .xid8: "xid8",
        .boolArray: "bool[]", .byteaArray: "bytea[]", .int2Array: "int2[]",
        .int4Array: "int4[]", .textArray: "text[]", .int8Array: "int8[]",
        .float8Array: "float8[]", .timestamptzArray: "timestamptz[]",
        .intervalArray: "interval[]", .uuidArray: "uuid[]", .jsonbArray: "jsonb[]",
    ]

    public var description: String { Self.names[self] ?? "the type with oid \(rawValue)" }

    /// Types of extensions and of users: enums, citext, domains.
    var isUserDefined: Bool { rawValue >= 16384 }
}
