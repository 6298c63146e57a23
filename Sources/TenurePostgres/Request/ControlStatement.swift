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
        FirstWords.mayBegin(sql, with: "bcrsae") && words.contains(FirstWords.of(sql)[0])
    }
}

/// Statements whose setting outlives the transaction. On a connection of a pool it would be there
/// for whoever gets that one next, and for nobody else.
enum SessionStatement {
    /// What `SET` may be followed by: it ends with the transaction.
    private static let passing: Set = ["local", "transaction", "constraints"]

    static func begins(_ sql: String) -> Bool {
        guard FirstWords.mayBegin(sql, with: "s") else { return false }
        let words = FirstWords.of(sql)
        return words[0] == "set" && !passing.contains(words[1])
    }

    static let refusal = PostgresError(
        .misuse, "SET changes the session, which goes back to the pool with it",
        hint: "Say SET LOCAL in a transaction, or give the setting to the role, or to every "
            + "session by the conninfo's options")
}

/// The first two words of a text, in small letters.
private enum FirstWords {
    /// Asked of every statement: its first letter says it of nearly all.
    static func mayBegin(_ sql: String, with letters: StaticString) -> Bool {
        guard let first = start(sql).first else { return false }
        return letters.withUTF8Buffer { $0.contains(first | 0x20) }
    }

    static func of(_ sql: String) -> [String] {
        var rest = start(sql).prefix(64)
        return (0..<2).map { _ in
            rest = rest.drop { $0 <= 0x20 }
            let word = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
            rest = rest.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self).lowercased()
        }
    }

    private static func start(_ sql: String) -> Substring.UTF8View {
        sql.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: ";") }
    }
}

extension PostgresRequest {
    var beginsWithControl: Bool { begins(ControlStatement.begins) }
    var beginsWithSetting: Bool { begins(SessionStatement.begins) }

    /// Whether one of the caller's own texts begins like that.
    private func begins(_ isOne: (String) -> Bool) -> Bool {
        switch work {
        case .statements(let calls):
            calls.contains { call in
                guard case .adHoc(let sql) = call.text else { return false }
                return isOne(sql)
            }
        case .script(let sql): isOne(sql)
        case .copy: false
        }
    }
}
