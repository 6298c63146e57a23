import Content
import Tenure

/// A report as a table (RFC 4180): a row for each place of each finding.
enum ReportCSV {
    private static let titles = [
        "code", "status", "confirmed", "hard", "target", "fragment", "page", "line", "column",
        "kind", "raw", "text", "detail", "first_broken_at", "last_ok_at",
    ]

    static func text(_ report: CheckReport) -> String {
        let rows = report.findings.flatMap { finding in
            finding.places.isEmpty
                ? [row(finding, nil)] : finding.places.map { row(finding, $0) }
        }
        return ([titles] + rows).map { $0.map(cell).joined(separator: ",") }
            .joined(separator: "\r\n")
    }

    private static func row(_ finding: Content.Finding, _ place: FindingPlace?) -> [String] {
        [
            finding.code, finding.status.map(String.init) ?? "", "\(finding.isConfirmed)",
            "\(finding.isHard)", finding.file ?? finding.target, finding.fragment ?? "",
            place.map { $0.file ?? $0.page } ?? "", place.map { "\($0.line)" } ?? "",
            place.map { "\($0.column)" } ?? "", place?.kind ?? "", place?.raw ?? "",
            place?.text ?? "", finding.detail ?? "",
            finding.firstBrokenAt.map { TimeText.exact($0) } ?? "",
            finding.lastOkAt.map { TimeText.exact($0) } ?? "",
        ]
    }

    /// What a formula begins with, in some spreadsheet.
    private static let formula: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠",
    ]
    private static let special: Set<Unicode.Scalar> = [",", "\"", "\r", "\n"]

    /// Spreadsheets run what begins like a formula: pages don't get to write one. By scalars, as
    /// those read it: a mark that combines with a quote makes another character of it for us.
    static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map(formula.contains) ?? false
        let plain = isFormula ? "'" + text : text
        guard plain.unicodeScalars.contains(where: special.contains) else { return plain }
        var inside = String.UnicodeScalarView()
        for scalar in plain.unicodeScalars {
            if scalar == "\"" { inside.append(scalar) }
            inside.append(scalar)
        }
        return "\"" + String(inside) + "\""
    }
}
