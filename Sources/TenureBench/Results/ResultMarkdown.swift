import TenureCLI

/// A result for a page: where it was measured, a table of the figures, then each question with its
/// plot and its points.
struct ResultMarkdown {
    let lines: ResultLines
    /// Where the plots are, as seen from the page; nil where there are none.
    let plots: String?

    var text: String {
        var parts = lines.machine.map(Self.machine) ?? []
        if !lines.single.isEmpty { parts.append(Self.table(lines.single)) }
        for sweep in lines.sweeps {
            parts.append("### \(sweep.name): \(sweep.unit) by \(sweep.axis)")
            if let plots { parts.append("![\(sweep.title)](\(plots)/\(sweep.name).svg)") }
            parts.append(Self.table(sweep))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func machine(_ machine: BenchMachine) -> [String] {
        let settings = machine.settings.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        return [
            "    tenure-bench --json \(machine.arguments.joined(separator: " "))",
            """
            \(machine.at), \(machine.build) build, \(machine.cores) × \(machine.cpu), \
            \(ResultTable.number(machine.memoryGiB)) GiB, \(machine.system), load \
            \(ResultTable.number(machine.load)) at the start. PostgreSQL \(machine.postgres): \
            `\(settings.joined(separator: " "))`. Medians of \(machine.runs) runs (least–most).
            """,
        ]
    }

    private static func table(_ figures: [FigureResult]) -> String {
        var table = MarkdownTable(
            "figure", "unit", "median (min–max)", "raw (min–max)", "to raw", "compared to", "bar",
            "met")
        for figure in figures {
            table.add(
                figure.figure, figure.unit, spread(figure), figure.raw.map(spread),
                figure.ratioToRaw.map(ResultTable.number), figure.comparison, figure.bar,
                figure.isMet.map { $0 ? "yes" : "**no**" })
        }
        return table.text
    }

    private static func table(_ sweep: SweepResult) -> String {
        var table = MarkdownTable(
            sweep.axis, "\(sweep.unit), median (min–max)", "raw (min–max)", "to raw", "compared to",
            "bar", "met")
        for point in sweep.points {
            table.add(
                ResultTable.grouped(point.sweep?.at ?? 0), spread(point), point.raw.map(spread),
                point.ratioToRaw.map(ResultTable.number), point.comparison, point.bar,
                point.isMet.map { $0 ? "yes" : "**no**" })
        }
        return table.text
    }

    private static func spread(_ figure: FigureResult) -> String {
        spread(figure.median, figure.min, figure.max)
    }

    private static func spread(_ raw: Spread) -> String { spread(raw.median, raw.min, raw.max) }

    private static func spread(_ median: Double, _ min: Double, _ max: Double) -> String {
        let middle = ResultTable.grouped(median)
        if min == max { return middle }
        return "\(middle) (\(ResultTable.grouped(min))–\(ResultTable.grouped(max)))"
    }
}

/// A table of Markdown, without the columns that have nothing in them. The first is text, the
/// others are numbers mostly.
struct MarkdownTable {
    private let titles: [String]
    private var rows: [[String]] = []

    init(_ titles: String...) { self.titles = titles }

    mutating func add(_ cells: String?...) {
        rows.append(cells.map { ($0 ?? "").replacing("|", with: "\\|") })
    }

    var text: String {
        let columns = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        func line(_ cells: [String]) -> String {
            "| " + columns.map { cells[$0] }.joined(separator: " | ") + " |"
        }
        let rule = "|" + columns.map { $0 == 0 ? "---|" : "---:|" }.joined()
        return ([line(titles), rule] + rows.map(line)).joined(separator: "\n")
    }
}
