import TenureLibpq

/// Connection strings, as libpq reads them.
enum Conninfo {
    /// - Returns: the options given, by keyword.
    static func parse(_ text: String) throws -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            defer { PQfreemem(message) }
            throw invalid(message.map { String(cString: $0) } ?? "out of memory")
        }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                given[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return given
    }

    /// libpq quotes what it stumbles over, and that may be the password.
    private static func invalid(_ message: String) -> PostgresError {
        let unquoted = message.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated().map { $0.offset.isMultiple(of: 2) ? String($0.element) : "…" }
            .joined(separator: "\"")
        return PostgresError(
            .invalidConfiguration,
            "the connection string can't be read: \(unquoted.replacingNewlines())",
            hint: "Give keyword=value pairs or postgresql://user@host:port/database")
    }
}
