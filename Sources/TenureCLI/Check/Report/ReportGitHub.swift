import Content
import Tenure

/// A report as GitHub Actions reads it from a step's output: annotations, then everything in a
/// group, then what it comes to.
///
/// GitHub shows ten errors and ten warnings of a step: those are chosen so that each finding has
/// one before any has two.
struct ReportGitHub {
    static let mostAnnotations = 10
    static let mostPlaces = 1000
    private static let longest = 1000

    private let root: SourceRoot

    static func text(_ report: CheckReport, root: SourceRoot) -> String {
        let writer = ReportGitHub(root: root)
        let suspects = report.findings.filter { !$0.isConfirmed }
        var lines = writer.annotations(report.confirmed, "error")
        lines += writer.annotations(suspects, "warning")
        if let shortfall = report.shortfall {
            lines.append("::warning title=not everything was checked::\(data(shortfall))")
        }
        lines += writer.group(report.findings, "All findings")
        lines += writer.moved(report.shownMoved)
        let places = report.confirmed.reduce(0) { $0 + $1.places.count }
        let doubt = suspects.isEmpty ? "" : ", \(suspects.count) not sure yet"
        let end =
            report.confirmed.isEmpty
            ? "no findings"
            : CountText.of(report.confirmed.count, "finding") + " at "
                + CountText.of(places, "place")
        let pages = CountText.of(report.pages, "page")
        let summary = "\(root.name ?? report.site): \(pages), \(end)\(doubt)"
        return (lines + (report.ruleLines + [summary]).map(log)).joined(separator: "\n")
    }

    static func text(_ comparison: CheckComparison, root: SourceRoot) -> String {
        let writer = ReportGitHub(root: root)
        var lines = writer.annotations(comparison.new, "error")
        lines += writer.group(comparison.new, "Newly broken")
        lines += writer.group(comparison.mended, "Mended")
        lines += writer.group(comparison.staying, "Still broken")
        return (lines + [log(comparison.summary(root.shownFolder))]).joined(separator: "\n")
    }

    private func annotations(_ findings: [Content.Finding], _ level: String) -> [String] {
        var chosen: [(finding: Content.Finding, turn: Int)] = []
        var turn = 0
        var left = findings
        while !left.isEmpty, chosen.count < Self.mostAnnotations {
            let room = Self.mostAnnotations - chosen.count
            chosen += left.prefix(room).map { ($0, turn) }
            turn += 1
            left.removeAll { $0.places.count <= turn }
        }
        return chosen.map { annotation($0.finding, $0.turn, level) }
    }

    private func annotation(_ finding: Content.Finding, _ turn: Int, _ level: String) -> String {
        var properties: [String] = []
        var message = finding.shownName + (finding.detail.map { " (\($0))" } ?? "")
        if finding.places.indices.contains(turn) {
            let place = finding.places[turn]
            if let path = root.path(of: place), !path.hasPrefix("/") {
                properties.append("file=\(Self.property(path))")
                properties += ["line=\(max(place.line, 1))", "col=\(max(place.column, 1))"]
            } else {
                message += ", at \(place.spot)"
            }
            message += place.text.map { ", \"\($0)\"" } ?? ""
            let others = finding.places.count - 1
            if others > 0 { message += "; and \(CountText.of(others, "more place"))" }
        }
        let title = "\(finding.code): \(FindingHelp(code: finding.code).title)"
        properties.append("title=\(Self.property(title))")
        return "::\(level) \(properties.joined(separator: ","))::\(Self.data(message))"
    }

    private func moved(_ links: [MovedLink]) -> [String] {
        if links.isEmpty { return [] }
        let lines = links.flatMap { link in
            link.places.map { "\($0.spot): \($0.raw) → \($0.replacement)" }
        }
        let more = lines.count - Self.mostPlaces
        let rest = more > 0 ? ["and \(CountText.of(more, "more place"))"] : []
        return ["::group::Moved for good"]
            + (lines.prefix(Self.mostPlaces) + rest).map { "| " + Self.log($0) }
            + ["::endgroup::"]
    }

    private func group(_ findings: [Content.Finding], _ title: String) -> [String] {
        if findings.isEmpty { return [] }
        var lines: [String] = []
        var left = Self.mostPlaces
        for finding in findings where left > 0 {
            let doubt = finding.isConfirmed ? "" : " (suspect)"
            lines.append("\(finding.code)  \(finding.shownName)\(doubt)")
            lines += finding.places.prefix(left).map { place in
                let path = root.path(of: place) ?? place.page
                return "    \(path):\(place.line):\(place.column): \(place.kind) \(place.raw)"
            }
            left -= max(finding.places.count, 1)
        }
        if left < 0 { lines.append("… and more; see them all in another format") }
        // A line that begins so is no command, whatever follows.
        return ["::group::\(title)"] + lines.map { "| " + Self.log($0) } + ["::endgroup::"]
    }

    /// A line that tells the runner nothing.
    private static func log(_ text: String) -> String {
        let line = withoutOldCommands(PlainText.line(short(text)))
        return line.hasPrefix("::") ? "| " + line : line
    }

    private static func short(_ text: String) -> String {
        text.unicodeScalars.count > longest
            ? String(text.unicodeScalars.prefix(longest)) + "…" : text
    }

    /// What stands behind the second `::`.
    private static func data(_ text: String) -> String { escaped(short(text), also: [:]) }

    private static func property(_ text: String) -> String {
        escaped(short(text), also: [":": "%3A", ",": "%2C"])
    }

    /// As the runner reads it; what a terminal would obey is shown, as everywhere.
    private static func escaped(_ text: String, also more: [Unicode.Scalar: String]) -> String {
        let escaped = PlainText.line(text).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result += more[scalar] ?? String(scalar)
            }
        }
        return withoutOldCommands(escaped)
    }

    /// The runner looks for `##[` anywhere, byte by byte: a sign before it makes it other
    /// characters to Swift, and none to the runner.
    private static func withoutOldCommands(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var marks = 0
        for scalar in text.unicodeScalars {
            if scalar == "[", marks >= 2 {
                result.removeLast()
                result.append(contentsOf: [" ", "#"])
            }
            marks = scalar == "#" ? marks + 1 : 0
            result.append(scalar)
        }
        return String(result)
    }
}
