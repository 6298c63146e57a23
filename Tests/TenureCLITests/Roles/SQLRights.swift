/// What one must be allowed to do on an object, whole or by column. `LOCK` is an UPDATE of any one.
struct Right: Hashable, Comparable, CustomStringConvertible {
    let object: String
    let verb: String
    var column = ""

    var description: String { "\(verb)\(column.isEmpty ? "" : " (\(column))") on \(object)" }

    static func < (a: Right, b: Right) -> Bool {
        (a.object, a.verb, a.column) < (b.object, b.verb, b.column)
    }
}

/// What a statement's text needs, functions that it calls included: read from the text, as this
/// repository writes SQL. Names stand with their schemas, keywords in capitals.
///
/// A reader of its own, because PostgreSQL asks for a right only when it gets to the place that
/// needs it: what a function does in its rarest branch would be found out by operators.
struct SQLRights {
    let tables: Set<String>
    let sequences: Set<String>
    /// Bodies by name; none of those that run as their owner.
    let functions: [String: [String]]

    /// With those of the functions it calls.
    func needed(by sql: String) -> Set<Right> {
        var needed: Set<Right> = []
        var waiting = [sql]
        while let text = waiting.popLast() {
            for right in Reading(text, self).rights() where needed.insert(right).inserted {
                if right.verb == "EXECUTE" { waiting += functions[right.object] ?? [] }
            }
        }
        return needed
    }
}

/// One text, word by word.
private struct Reading {
    private let schema: SQLRights
    private let words: [String]
    /// How many parentheses are open before each word.
    private let depths: [Int]

    init(_ sql: String, _ schema: SQLRights) {
        self.schema = schema
        words = Self.words(of: sql)
        var depth = 0
        depths = words.map { word in
            if word == ")" { depth -= 1 }
            defer { if word == "(" { depth += 1 } }
            return depth
        }
    }

    func rights() -> Set<Right> { words.indices.reduce(into: []) { $0.formUnion(rights(at: $1)) } }

    private func word(_ index: Int) -> String {
        words.indices.contains(index) ? words[index].uppercased() : ""
    }

    private func rights(at index: Int) -> [Right] {
        let name = words[index]
        if word(index - 2) == "NEXTVAL", let sequence = name.quotedName {
            return schema.sequences.contains(sequence)
                ? [Right(object: sequence, verb: "USAGE")] : []
        }
        if schema.functions[name] != nil, word(index + 1) == "(" {
            return [Right(object: name, verb: "EXECUTE")]
        }
        if schema.sequences.contains(name) { return [Right(object: name, verb: "SELECT")] }
        return schema.tables.contains(name) ? ofTable(name, index) : []
    }

    private func ofTable(_ table: String, _ index: Int) -> [Right] {
        func right(_ verb: String, _ column: String = "") -> Right {
            Right(object: table, verb: verb, column: column)
        }
        switch (word(index - 2), word(index - 1)) {
        case ("INSERT", "INTO"): return ofInsert(table, index)
        case ("DELETE", "FROM"): return [right("DELETE"), right("SELECT")]
        case ("LOCK", "TABLE"): return [right("UPDATE")]
        case ("FOR", "UPDATE"), ("KEY", "UPDATE"), ("DO", "UPDATE"): return []
        case (_, "UPDATE"):
            let set = words.indices[index...].first { word($0) == "SET" } ?? index
            return [right("SELECT")] + columns(after: set).map { right("UPDATE", $0) }
        case (_, "COPY"): return [right("INSERT")]
        case (_, "FROM"), (_, "JOIN"), (_, "USING"), (_, "ONLY"):
            return [right("SELECT")] + (isLocked(index) ? [right("LOCK")] : [])
        case (_, ",") where isInFrom(index): return [right("SELECT")]
        default: return []  // its row type
        }
    }

    private func ofInsert(_ table: String, _ index: Int) -> [Right] {
        var rights = [Right(object: table, verb: "INSERT")]
        for place in words.indices[index...].prefix(while: { isInside($0, index) })
        where depths[place] == depths[index] {
            let reads =
                word(place) == "RETURNING" || word(place) == "CONFLICT" && word(place + 1) == "("
            if reads { rights.append(Right(object: table, verb: "SELECT")) }
            guard word(place) == "DO", word(place + 1) == "UPDATE" else { continue }
            rights.append(Right(object: table, verb: "SELECT"))
            rights += columns(after: place + 2).map {
                Right(object: table, verb: "UPDATE", column: $0)
            }
        }
        return rights
    }

    /// Of the same statement, or of a part of it.
    private func isInside(_ place: Int, _ start: Int) -> Bool {
        depths[place] >= depths[start] && words[place] != ";"
    }

    /// What `SET` gives new values.
    private func columns(after set: Int) -> [String] {
        var columns: [String] = []
        var isExpected = true
        var place = set + 1
        while words.indices.contains(place), isInside(place, set) {
            let isHere = depths[place] == depths[set]
            let isEnd = ["FROM", "WHERE", "RETURNING"].contains(word(place))
            // `IS NOT DISTINCT FROM` goes on.
            if isHere, isEnd, word(place - 1) != "DISTINCT" { break }
            if isExpected, words[place] == "(" {
                let close = words.indices[place...].first { words[$0] == ")" } ?? place
                columns += words[(place + 1)..<close].filter { $0 != "," }
                place = close
                isExpected = false
            } else if isExpected {
                columns.append(words[place].filter { $0 != "\"" })
                isExpected = false
            } else if isHere, words[place] == "," {
                isExpected = true
            }
            place += 1
        }
        return columns
    }

    /// Whether the query's rows of this table are locked: `OF` may name others.
    private func isLocked(_ index: Int) -> Bool {
        let kinds = ["UPDATE", "NO", "SHARE", "KEY"]
        for place in words.indices[(index + 1)...].prefix(while: { isInside($0, index) })
        where depths[place] == depths[index] {
            if ["SELECT", "UNION"].contains(word(place)) { return false }
            guard word(place) == "FOR", kinds.contains(word(place + 1)) else { continue }
            let next = words.indices[(place + 1)...].first { !kinds.contains(word($0)) }
            guard let next, word(next) == "OF" else { return true }
            let alias = word(index + 1) == "AS" ? index + 2 : index + 1
            return words[next + 1] == words[alias]
        }
        return false
    }

    private func isInFrom(_ index: Int) -> Bool {
        for place in words.indices[..<index].reversed() where depths[place] <= depths[index] {
            if depths[place] < depths[index] { return false }
            if ["FROM", "USING"].contains(word(place)) { return true }
            if ["SELECT", "SET", "VALUES"].contains(word(place)) { return false }
        }
        return false
    }
}

extension Reading {
    /// Names with their dots, texts with their quotes, everything else by the character.
    private static func words(of sql: String) -> [String] {
        var words: [String] = []
        var rest = Substring(sql)
        while let first = rest.first {
            let length: Int
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
                continue
            } else if first.isWhitespace {
                rest.removeFirst()
                continue
            } else if first == "'" || first == "\"" {
                length =
                    (rest.dropFirst().firstIndex(of: first)).map {
                        rest.distance(from: rest.startIndex, to: $0) + 1
                    } ?? rest.count
            } else if first.isLetter || first == "_" {
                length = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.count
            } else {
                length = 1
            }
            words.append(String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return words
    }
}

extension String {
    /// The name in `'tenure.fence'`.
    fileprivate var quotedName: String? {
        hasPrefix("'") && hasSuffix("'") ? String(dropFirst().dropLast()) : nil
    }
}
