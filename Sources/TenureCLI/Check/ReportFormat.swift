import ArgumentParser
import Content

/// How a report is written.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, junit, csv, markdown

    func write(_ report: CheckReport, folder: String?) throws -> String {
        switch self {
        case .text: ReportText(report, folder: folder).text
        case .json: try JSONText.encode(report)
        case .junit: ReportJUnit.text(report)
        case .csv: ReportCSV.text(report)
        case .markdown: ReportMarkdown.text(report)
        }
    }
}

extension Content.Finding {
    /// The target with the anchor that is missing from it.
    var name: String { target + (fragment.map { "#\($0)" } ?? "") }
}

extension FindingPlace {
    /// `page:line:column`, as editors take it.
    var spot: String { "\(file ?? page):\(line):\(column)" }
}
