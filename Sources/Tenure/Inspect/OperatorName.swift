import TenurePostgres

extension PostgresParameters {
    /// Who does something, for those who look later.
    /// - Throws: `TenureError` with `.invalidJob`, unless it has 1 to 256 bytes on one line.
    package mutating func append(whom: String) throws {
        try JobLimits.check(name: whom, of: "the name of who does it", longest: 256)
        try append(whom)
    }

    package mutating func append(whom: String?) throws {
        guard let whom else { return try append(String?.none) }
        try append(whom: whom)
    }
}
