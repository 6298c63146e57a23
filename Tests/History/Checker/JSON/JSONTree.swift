/// A whole value, for the few rows that are compared member by member.
enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(_ slice: JSONSlice) throws(JSONError) {
        var scanner = slice.scanner
        try self.init(&scanner)
    }

    init(_ scanner: inout JSONScanner) throws(JSONError) {
        switch try scanner.value() {
        case .absent, .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number(Double(value))
        case .number(let value): self = .number(value)
        case .text(let value): self = .text(value.string)
        case .container(let slice): self = try Self.container(slice)
        }
    }

    private static func container(_ slice: JSONSlice) throws(JSONError) -> JSONTree {
        var scanner = slice.scanner
        let isObject = scanner.peek() == ASCII.openBrace
        let closing = isObject ? ASCII.closeBrace : ASCII.closeBracket
        try scanner.expect(isObject ? ASCII.openBrace : ASCII.openBracket)
        var members: [String: JSONTree] = [:]
        var elements: [JSONTree] = []
        while scanner.peek() != closing {
            if isObject {
                let name = try scanner.text().string
                try scanner.expect(ASCII.colon)
                members[name] = try JSONTree(&scanner)
            } else {
                elements.append(try JSONTree(&scanner))
            }
            guard try scanner.goesOn(until: closing) else { break }
        }
        return isObject ? .object(members) : .list(elements)
    }

    /// The names of the members in which two objects differ.
    func differences(from other: JSONTree) -> [String] {
        guard case .object(let ours) = self, case .object(let theirs) = other else {
            return self == other ? [] : ["row"]
        }
        return Set(ours.keys).union(theirs.keys).filter { ours[$0] != theirs[$0] }.sorted()
    }
}
