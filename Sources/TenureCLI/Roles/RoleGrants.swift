/// The least that a role needs, one grant a line, as SQL has it between GRANT and TO.
///
/// A test tries every statement of the product under every role, and names what is missing here
/// and what is too much (Tests/TenureCLITests/Roles). To lock a row is to have UPDATE on some
/// column of it: where nothing is written, that is one that only people read.
struct RoleGrants: Sendable {
    let grants: [RoleGrant]

    init(_ lines: String) { grants = lines.split(separator: "\n").map(RoleGrant.init) }

    /// Those on objects of one schema.
    func lines(in schema: String) -> [String] {
        grants.compactMap { grant in
            let own = grant.objects.filter { $0.hasPrefix("\(schema).") }
            if own.isEmpty { return nil }
            return "\(grant.rights) ON \(grant.kind)\(own.joined(separator: ", "))"
        }
    }
}

/// `SELECT, UPDATE (a, b) ON tenure.x, tenure.y`
struct RoleGrant: Sendable {
    let rights: String
    /// `SEQUENCE `, `FUNCTION ` or nothing.
    let kind: String
    let objects: [String]

    init(_ line: Substring) {
        let words = line.split(separator: " ").joined(separator: " ")
        let parts = words.split(separator: " ON ", maxSplits: 1).map(String.init)
        rights = parts[0]
        kind = ["SEQUENCE ", "FUNCTION "].first { parts[1].hasPrefix($0) } ?? ""
        objects = Self.list(parts[1].dropFirst(kind.count))
    }

    /// Each right with its columns; none stands for the whole table.
    var verbs: [(verb: String, columns: [String])] {
        Self.list(rights[...]).map { right in
            guard let open = right.firstIndex(of: "(") else { return (right, []) }
            let columns = right[right.index(after: open)...].dropLast()
            return (String(right[..<open].dropLast()), Self.list(columns))
        }
    }

    /// By the commas that stand in no parentheses.
    private static func list(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.map { String($0.drop { $0 == " " }) }
    }
}
