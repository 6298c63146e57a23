package import Tenure
package import TenureFoundation

/// What pages are made of.
extension Markup {
    package static func link(_ text: String, to address: String) -> Markup {
        "<a href=\"\(address)\">\(text)</a>"
    }

    /// A time with its zone, and how far it is from now.
    /// - Parameter zone: nil for UTC.
    package static func moment(_ date: Date?, in zone: TimeZone? = nil) -> Markup {
        guard let date else { return "–" }
        let exact = TimeText.exact(date)
        let text = zone.map { TimeText.plain(date, in: $0) } ?? TimeText.plain(date)
        return "<time datetime=\"\(exact)\">\(text)</time> (\(age(date)))"
    }

    /// Only how far a time is from now, where many stand below one another.
    package static func age(_ date: Date?) -> Markup {
        guard let date else { return "–" }
        // The browser counts it on: no page changes by it.
        let (exact, text) = (TimeText.exact(date), TimeText.relative(date))
        return "<time class=\"age\" datetime=\"\(exact)\">\(text)</time>"
    }

    package static func duration(_ duration: Duration?) -> Markup {
        guard let duration else { return "–" }
        return "\(DurationText.format(duration))"
    }

    package static func code(_ text: String) -> Markup { "<code>\(text)</code>" }

    package static func optional(_ text: String?) -> Markup { text.map { "\($0)" } ?? "–" }

    /// A text of several lines, which can be scrolled with keys where it is long.
    package static func document(_ text: String, _ label: String) -> Markup {
        """
        <pre tabindex="0" role="region" aria-label="\(label)">\(document: text)</pre>
        """
    }

    /// - Parameter tone: how it looks; the word itself says what it means.
    package static func badge(_ word: String, _ tone: Tone = .plain) -> Markup {
        "<span class=\"badge \(tone.rawValue)\">\(word)</span>"
    }

    package enum Tone: String { case plain, good, doubt, bad }

    package static func badge(_ status: JobStatus) -> Markup {
        let tone: Tone =
            switch status {
            case .completed: .good
            case .discarded: .bad
            case .retryable, .held: .doubt
            default: .plain
            }
        return badge(status.rawValue, tone)
    }

    /// A number that links to what it counts; zero counts nothing.
    /// - Parameter isAtLeast: counting ended before all were counted.
    package static func count(
        _ number: Int, _ address: String, isAtLeast: Bool = false
    ) -> Markup {
        let text = count(number, isAtLeast: isAtLeast)
        return number == 0 && !isAtLeast ? text : "<a href=\"\(address)\">\(text)</a>"
    }

    static func count(_ number: Int, isAtLeast: Bool) -> Markup {
        "\(figure(number, isAtLeast: isAtLeast))"
    }

    /// From five digits on with a comma between thousands: `9999`, `10,000+`.
    static func figure(_ number: Int, isAtLeast: Bool) -> String {
        let text = number < 10_000 ? "\(number)" : CountText.grouped(number)
        return isAtLeast ? text + "+" : text
    }

    package static func joined(_ parts: [Markup], _ separator: Markup = ", ") -> Markup {
        guard let first = parts.first else { return "–" }
        return parts.dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
    }
}

/// A table with a caption, whose first column names the row.
package struct ListTable {
    package struct Column {
        let title: String
        let isNumber: Bool

        package init(_ title: String, isNumber: Bool = false) {
            (self.title, self.isNumber) = (title, isNumber)
        }
    }
    let caption: String
    let columns: [Column]
    let rows: [[Markup]]
    let none: String

    /// - Parameter none: what stands in the place of no rows.
    package init(caption: String, columns: [Column], rows: [[Markup]], none: String) {
        (self.caption, self.columns, self.rows, self.none) = (caption, columns, rows, none)
    }

    package var markup: Markup {
        if rows.isEmpty { return "<p class=\"none\">\(none)</p>" }
        let head = columns.map { column -> Markup in
            "<th scope=\"col\"\(Self.numeric(column))>\(column.title)</th>"
        }
        let body = rows.map { row -> Markup in
            let cells = zip(columns, row).enumerated().map { index, cell -> Markup in
                index == 0
                    ? "<th scope=\"row\">\(cell.1)</th>"
                    : "<td\(Self.numeric(cell.0)) data-label=\"\(cell.0.title)\">\(cell.1)</td>"
            }
            return "<tr>\(cells)</tr>"
        }
        return """
            <div class="table" role="region" tabindex="0" aria-label="\(caption)"><table>
            <caption>\(caption)</caption><thead><tr>\(head)</tr></thead>
            <tbody>\(body)</tbody></table></div>
            """
    }

    private static func numeric(_ column: Column) -> Markup {
        column.isNumber ? " class=\"number\"" : ""
    }
}

/// Names and values of one thing; what has no value is left out.
package struct Facts {
    private var lines: [Markup] = []

    package init() {}

    package mutating func add(_ name: String, _ value: Markup?) {
        guard let value else { return }
        lines.append("<div><dt>\(name)</dt><dd>\(value)</dd></div>")
    }

    package mutating func add(_ name: String, text: String?) { add(name, text.map { "\($0)" }) }

    package var markup: Markup { "<dl class=\"facts\">\(lines)</dl>" }
}

/// What somebody may do here: buttons of one form, which carries what proves who presses them. They
/// stand anywhere on the page, also where it is replaced while it is looked at.
package struct VerbButton {
    static let form = "verbs"

    let title: String
    let address: String
    /// What is asked for with it.
    var value: (name: String, value: String)?
    var isGrave = false

    package init(
        title: String, address: String, value: (name: String, value: String)? = nil,
        isGrave: Bool = false
    ) {
        (self.title, self.address, self.value, self.isGrave) = (title, address, value, isGrave)
    }

    var markup: Markup {
        let pair: Markup = value.map { " name=\"\($0.name)\" value=\"\($0.value)\"" } ?? ""
        let look: Markup = isGrave ? " class=\"grave\"" : ""
        return """
            <button type="submit" form="\(Self.form)" formaction="\(address)"\(pair)\(look)>\
            \(title)</button>
            """
    }
}
