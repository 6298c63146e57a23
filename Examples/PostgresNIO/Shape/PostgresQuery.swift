import TenurePostgres

public struct PostgresQuery: ExpressibleByStringInterpolation, Sendable {
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var sql = ""
        var binds = PostgresBindings()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { sql += literal }

        /// What is interpolated is a parameter, and no text of the statement.
        public mutating func appendInterpolation(_ value: Int) {
            binds.values.append(value)
            sql += "$\(binds.values.count)"
        }
    }

    let sql: String
    let binds: PostgresBindings

    public init(unsafeSQL sql: String, binds: PostgresBindings = PostgresBindings()) {
        (self.sql, self.binds) = (sql, binds)
    }

    public init(stringLiteral value: String) { self.init(unsafeSQL: value) }

    public init(stringInterpolation: StringInterpolation) {
        self.init(unsafeSQL: stringInterpolation.sql, binds: stringInterpolation.binds)
    }
}

public struct PostgresBindings: Sendable {
    var values: [any PostgresEncodable] = []

    public init() {}

    public mutating func append(_ value: String?) { values.append(value) }
}
