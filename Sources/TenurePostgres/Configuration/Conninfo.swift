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
        return values(of: options)
    }

    /// What libpq takes where nothing is given: from the `PG*` variables and built in.
    static func defaults() -> [String: String] {
        guard let options = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(options) }
        return values(of: options).filter { !$0.value.isEmpty && $0.key != "service" }
    }

    private static func values(
        of options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
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

    /// libpq quotes what it stumbles over, and that may be the password: all from the first quote
    /// to the last is left out.
    private static func invalid(_ message: String) -> PostgresError {
        let quotes = message.indices.filter { message[$0] == "\"" }
        var safe = message
        if let first = quotes.first, let last = quotes.last {
            safe.replaceSubrange(first...last, with: "…")
        }
        return PostgresError(
            .invalidConfiguration,
            "the connection string can't be read: \(safe.replacingNewlines())",
            hint: "Give keyword=value pairs or postgresql://user@host:port/database")
    }
}
