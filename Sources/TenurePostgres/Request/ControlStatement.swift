/// Statements that begin or end a transaction or a savepoint.
enum ControlStatement {
    /// As the server names what it did.
    static let tags: Set = [
        "BEGIN", "START TRANSACTION", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE",
        "PREPARE TRANSACTION", "COMMIT PREPARED", "ROLLBACK PREPARED",
    ]

    private static let words: Set = [
        "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release",
    ]

    /// Whether a text begins with one. It is only a first look: what a longer text did is told by
    /// the server.
    static func begins(_ sql: String) -> Bool {
        let start = sql.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: ";") }
        guard let first = start.first, "bcrsaeBCRSAE".utf8.contains(first) else { return false }
        let word = start.prefix(10).prefix { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
        }
        return words.contains(String(decoding: word, as: UTF8.self).lowercased())
    }
}

extension PostgresRequest {
    var beginsWithControl: Bool {
        switch work {
        case .statements(let calls):
            calls.contains { call in
                guard case .adHoc(let sql) = call.text else { return false }
                return ControlStatement.begins(sql)
            }
        case .script(let sql): ControlStatement.begins(sql)
        case .copy: false
        }
    }
}
