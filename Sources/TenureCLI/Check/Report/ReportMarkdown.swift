import Content
import Tenure

/// A report for a comment on a pull request.
enum ReportMarkdown {
    static func text(_ report: CheckReport) -> String {
        let title = "# Links of \(code(report.shownName ?? report.folder ?? report.site))"
        let confirmed = report.confirmed.count
        let counts =
            CountText.of(report.pages, "page") + ", "
            + CountText.of(report.references, "reference") + ", "
            + "**\(CountText.of(confirmed, "finding"))**"
        let notes = (report.shortfall.map { [$0] } ?? []) + report.ruleLines
        let head = ([title, counts] + notes.map(code)).joined(separator: "\n\n")
        let tables = [
            report.findings.isEmpty ? nil : table(report.findings), moved(report.shownMoved),
        ]
        return ([head] + tables.compactMap(\.self)).joined(separator: "\n\n")
    }

    private static func moved(_ links: [MovedLink]) -> String? {
        if links.isEmpty { return nil }
        let rows = links.map { link in
            let places = link.places.prefix(mostPlaces).map { code($0.spot) }
            let more = link.places.count - places.count
            return "| \(code(link.shownFrom)) | \(code(link.shownTo)) | "
                + (places + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "<br>")
                + " |"
        }
        return (["## Moved for good", "", "| from | to | places |\n|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    static func table(_ findings: [Content.Finding]) -> String {
        (["| finding | target | places |\n|---|---|---|"] + findings.map(row))
            .joined(separator: "\n")
    }

    private static let mostPlaces = 5

    private static func row(_ finding: Content.Finding) -> String {
        let doubt = finding.isConfirmed ? "" : " (suspect)"
        var places = finding.places.prefix(mostPlaces).map { code($0.spot) }
        if finding.places.count > mostPlaces {
            places.append("and \(finding.places.count - mostPlaces) more")
        }
        return "| \(code(finding.code))\(doubt) | \(code(finding.shownName)) | "
            + places.joined(separator: "<br>") + " |"
    }

    /// As it is, on one line, whatever it contains. By scalars, as whoever renders it reads it.
    static func code(_ text: String) -> String {
        var plain = ""
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        for scalar in line.unicodeScalars {
            switch scalar {
            case "`": plain += "'"
            case "|": plain += "\\|"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return "`\(plain)`"
    }
}
