import Foundation

/// Reads the members that somebody wants of objects that look alike.
///
/// The lines of one kind have their members in the same order, nearly always. So the order of
/// the last line is kept: a member in its old place is known by one comparison of bytes.
struct ObjectReader {
    private struct Member {
        let name: JSONSlice
        let column: Int?
    }

    private let columns: [String: Int]
    private var order: [Member] = []
    private(set) var values: [JSONValue]

    init(_ names: [String]) {
        columns = Dictionary(uniqueKeysWithValues: zip(names, 0...))
        values = Array(repeating: .absent, count: names.count)
    }

    /// Reads one object; `values` are then those of its wanted members, in the order of the names.
    mutating func read(_ scanner: inout JSONScanner) throws(JSONError) {
        for index in values.indices { values[index] = .absent }
        try scanner.expect(ASCII.openBrace)
        if scanner.peek() == ASCII.closeBrace {
            try scanner.expect(ASCII.closeBrace)
            return
        }
        var position = 0
        repeat {
            let name = try scanner.text()
            try scanner.expect(ASCII.colon)
            let value = try scanner.value()
            if let column = column(of: name, at: position) { values[column] = value }
            position += 1
        } while try scanner.goesOn(until: ASCII.closeBrace)
    }

    private mutating func column(of name: JSONSlice, at position: Int) -> Int? {
        if position < order.count {
            let known = order[position]
            if known.name.count == name.count,
                memcmp(known.name.start, name.start, name.count) == 0
            {
                return known.column
            }
        }
        let member = Member(name: name, column: columns[name.string])
        if position < order.count {
            order[position] = member
        } else if position == order.count {
            order.append(member)
        }
        return member.column
    }
}
