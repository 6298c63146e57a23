import Tenure

/// Rows in aligned columns, plain text. Numbers stand to the right.
package struct Table {
    private let titles: [String]
    private var rows: [[String]] = []

    private let longest: Int

    /// - Parameter longest: where a cell is cut off.
    package init(_ titles: String..., longest: Int = 80) {
        self.titles = titles
        self.longest = longest
    }

    init<Element: TableRow>(_ rows: [Element], longest: Int = 80) {
        titles = Element.titles
        self.longest = longest
        for row in rows { add(row.cells) }
    }

    package mutating func add(_ cells: String?...) { add(cells) }

    private mutating func add(_ cells: [String?]) { rows.append(cells.map { cell($0 ?? "") }) }

    package var text: String {
        let widths = titles.indices.map { column in
            ([titles] + rows).map { $0[column].count }.max() ?? 0
        }
        let isNumber = titles.indices.map { column in
            !rows.isEmpty && rows.allSatisfy { $0[column] == "-" || Double($0[column]) != nil }
        }
        func line(_ cells: [String]) -> String {
            var line = ""
            for (column, cell) in cells.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isLast = column == cells.count - 1
                line += isNumber[column] ? space + cell : isLast ? cell : cell + space
                if !isLast { line += "  " }
            }
            return line
        }
        return ([titles.map { $0.uppercased() }] + rows).map(line).joined(separator: "\n")
    }

    /// One line, and nothing that a terminal would obey.
    private func cell(_ text: String) -> String {
        let plain = PlainText.line(text)
        if plain.isEmpty { return "-" }
        return plain.count > longest ? String(plain.prefix(longest - 1)) + "…" : plain
    }
}

/// One of many, as the row of a table.
protocol TableRow: Encodable, Sendable {
    static var titles: [String] { get }
    var cells: [String?] { get }
    /// A line below the table, for what no cell has room for.
    var note: String? { get }
}

extension TableRow {
    var note: String? { nil }
}

/// Names and values below each other.
package struct Sheet {
    private var lines: [(name: String, value: String)] = []

    package init() {}

    /// A value stands on one line, whatever is in it.
    package mutating func add(_ name: String, _ value: String?) {
        if let value { lines.append((name, PlainText.line(value))) }
    }

    package var text: String {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }
}
