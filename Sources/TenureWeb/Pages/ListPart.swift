package import Tenure

/// A part of a list, as a page shows it and as programs get it.
package struct ListPart<Row: Encodable & Sendable>: Encodable, Sendable {
    package let rows: [Row]
    /// The address of the part that follows; nil for the last.
    @OrNull package var next: String?
}

/// How much of a list is shown at a time.
package enum ListLength { package static let most = 100 }

/// What an address says of the part that it asks for.
package enum ListParameter: String, CaseIterable { case after, skip }

/// Which part of a list an address asks for, and where the others are: each begins behind the last
/// row of the one before it, whatever came or went meanwhile.
package struct ListPlace<Key: ListKey>: Sendable {
    /// The row behind which it begins; nil: at the beginning.
    package let after: Key?
    /// So many rows behind that one are passed over: addresses can't say what they are called,
    /// for that looks like a secret.
    private let skip: Int
    private let path: [String]
    private let filters: [(String, String?)]
    private static var longestSkip: Int { 10_000 }

    /// - Parameter names: what else an address says, which those of the other parts say, too.
    /// - Throws: `BadRequest` for a key that is none.
    package init(_ query: Query, at path: String..., keeping names: [String] = []) throws {
        self.path = path
        filters = query.pairs.filter { names.contains($0.name) && !$0.value.isEmpty }
            .map { ($0.name, $0.value) }
        after = try Self.value(.after, in: query) { Key(key: $0) }
        skip =
            try Self.value(.skip, in: query) { text in
                Int(text).flatMap { (0...Self.longestSkip).contains($0) ? $0 : nil }
            } ?? 0
    }

    private static func value<Value>(
        _ parameter: ListParameter, in query: Query, _ read: (String) -> Value?
    ) throws -> Value? {
        let name = parameter.rawValue
        let times = query.all(name).count
        if times > 1 { throw BadRequest("\(name) is given \(times) times; give it once") }
        guard let text = query[name] else { return nil }
        guard let value = read(text) else {
            throw BadRequest(
                "\(name) is \"\(text.prefix(100))\"; take the address of a part as it is given")
        }
        return value
    }

    /// How many rows to look for: one more than are shown says that there are more.
    package var limit: Int { skip + ListLength.most + 1 }

    /// - Parameter found: what lies behind ``after``, ``limit`` rows at most.
    package func part<Row>(
        _ found: some Collection<Row>, _ look: Look, key: (Row) -> Key
    ) -> ListPart<Row> {
        let rest = found.dropFirst(skip)
        let rows = Array(rest.prefix(ListLength.most))
        guard rest.count > rows.count else { return ListPart(rows: rows, next: nil) }
        let last = rows.lastIndex { look.shows(key($0).key) }
        let name = last.map { key(rows[$0]).key } ?? after?.key
        let skipped = last.map { rows.count - 1 - $0 } ?? skip + rows.count
        let place = [
            (ListParameter.after.rawValue, name),
            (ListParameter.skip.rawValue, skipped == 0 ? nil : "\(skipped)"),
        ]
        return ListPart(rows: rows, next: look.links.to(path, filters + place))
    }

    /// The same of a list that is there as a whole; it comes in the order of its keys.
    package func part<Row>(
        of all: [Row], _ look: Look, key: (Row) -> Key
    ) -> ListPart<Row> where Key: Comparable {
        let sorted = all.sorted { key($0) < key($1) }
        return part(sorted.drop { row in after.map { key(row) <= $0 } ?? false }, look, key: key)
    }

    /// The address of this part, with something else asked for.
    package func address(_ more: (String, String?), _ look: Look) -> String {
        let place = [
            (ListParameter.after.rawValue, after?.key),
            (ListParameter.skip.rawValue, skip == 0 ? nil : "\(skip)"),
        ]
        return look.links.to(path, filters + [more] + place)
    }

    /// Links to the other parts; nothing where this is all.
    package func pages(_ next: String?, _ look: Look) -> Markup {
        var links: [Markup] = []
        if after != nil || skip > 0 {
            links.append(Markup.link("First", to: look.links.to(path, filters)))
        }
        if let next { links.append("<a href=\"\(next)\" rel=\"next\">Next</a>") }
        if links.isEmpty { return "" }
        return "<nav class=\"pages\" aria-label=\"Parts of the list\">\(links)</nav>"
    }
}
