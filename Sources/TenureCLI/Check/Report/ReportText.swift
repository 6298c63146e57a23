import Content
import Tenure

/// A report for people: what is wrong, and every place to mend it.
struct ReportText {
    let text: String

    init(_ report: CheckReport, folder: String?) {
        var lines: [String] = []
        for finding in report.findings { lines += Self.lines(finding, folder) + [""] }
        for link in report.shownMoved { lines += Self.lines(link, folder) + [""] }
        lines.append(Self.counts(report, folder))
        if report.skippedForContact > 0 {
            lines.append(
                "\(report.skippedForContact) foreign targets were not looked at: give --contact")
        }
        if let shortfall = report.shortfall { lines.append(shortfall) }
        let confirmed = report.confirmed
        let suspects = report.findings.count - confirmed.count
        if suspects > 0 {
            lines.append("\(suspects) not sure yet: a second look is due, or give --strict")
        }
        if let moved = report.movedLine { lines.append(moved) }
        lines += (report.leftOut + report.ruleLines).map(Self.plain)
        let places = confirmed.reduce(0) { $0 + $1.places.count }
        lines.append(
            confirmed.isEmpty
                ? "no findings"
                : CountText.of(confirmed.count, "finding") + " at "
                    + CountText.of(places, "place"))
        text = lines.joined(separator: "\n")
    }

    static func lines(_ finding: Content.Finding, _ folder: String?) -> [String] {
        let fragment = finding.fragment.map { "#\($0)" } ?? ""
        let weight = finding.isHard ? " (breaks the page)" : ""
        let doubt = finding.isConfirmed ? "" : " (suspect)"
        let title = "\(finding.code)  \(finding.target)\(fragment)\(weight)\(doubt)"
        let detail = [finding.detail, since(finding)].compactMap { $0 }.map { "    \($0)" }
        let more = finding.places.count - mostPlaces
        let rest = "    and \(more) more places; --format json and csv have them all"
        let places = finding.places.prefix(mostPlaces).map { place in
            let file = place.file.map { ShownFile.name($0, in: folder) }
            let text = place.text.map { " \"\($0)\"" } ?? ""
            return "    \(file ?? place.page):\(place.line):\(place.column): "
                + "\(place.kind) \(place.raw)\(text)"
        }
        return ([title] + detail + places + (more > 0 ? [rest] : [])).map { plain($0) }
    }

    /// Of one finding: nobody mends more by hand, nor scrolls past them to the next.
    private static let mostPlaces = 200

    /// With what to write at each place.
    private static func lines(_ link: MovedLink, _ folder: String?) -> [String] {
        let doubt = link.isConfirmed ? "" : " (seen once)"
        let places = link.places.map { place in
            let file = place.file.map { ShownFile.name($0, in: folder) }
            return "    \(file ?? place.page):\(place.line):\(place.column): "
                + "\(place.kind) \(place.raw) → \(place.replacement)"
        }
        return (["moved for good  \(link.shownFrom) → \(link.shownTo)\(doubt)"] + places).map {
            plain($0)
        }
    }

    private static func since(_ finding: Content.Finding) -> String? {
        guard let first = finding.firstBrokenAt else { return nil }
        let last = finding.lastOkAt.map { ", last ok \(TimeText.full($0))" }
        return "since \(TimeText.full(first))" + (last ?? ", never seen ok")
    }

    private static func counts(_ report: CheckReport, _ folder: String?) -> String {
        let states = report.targets.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let targets = report.targets.values.reduce(0, +)
        return "\(report.shownName ?? folder ?? report.site): "
            + CountText.of(report.pages, "page") + ", "
            + CountText.of(report.references, "reference") + ", "
            + CountText.of(targets, "target") + " (\(states.joined(separator: ", ")))"
    }

    /// What pages say is nothing that a terminal should obey.
    private static func plain(_ line: String) -> String { PlainText.line(line) }
}
