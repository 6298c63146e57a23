import ArgumentParser
import Content
import Tenure

/// How a report is written.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json, junit, csv, markdown, sarif, github, html

    static let names = "text, json, junit, csv, markdown, sarif, github or html"

    func write(_ report: CheckReport, folder: String?) throws -> String {
        let root = SourceRoot(folder: folder)
        return switch self {
        case .text: ReportText(report, folder: folder).text
        case .json: try JSONText.encode(report)
        case .junit: ReportJUnit.text(report)
        case .csv: ReportCSV.text(report)
        case .markdown: ReportMarkdown.text(report)
        case .sarif: try ReportSARIF.text(report, root: root)
        case .github: ReportGitHub.text(report, root: root)
        case .html: ReportHTML.text(report, folder: folder)
        }
    }

    /// A table of places, or of cases that pass and fail, has no room for what is mended.
    var comparesChecks: Bool { self != .junit && self != .csv }

    func write(_ comparison: CheckComparison) throws -> String {
        let root = SourceRoot(folder: comparison.folder)
        let folder = root.shownFolder
        return switch self {
        case .text: ReportComparison.text(comparison, folder: folder)
        case .json: try JSONText.encode(comparison)
        case .markdown: ReportComparison.markdown(comparison, folder: folder)
        case .sarif: try ReportSARIF.text(comparison, root: root)
        case .github: ReportGitHub.text(comparison, root: root)
        case .html: ReportHTML.text(comparison, folder: folder)
        case .junit, .csv: throw Failure("--compare has no report as \(rawValue)")
        }
    }
}

extension Content.Finding {
    /// The target with the anchor that is missing from it.
    var name: String { target + suffix }

    /// Its file where it is one: a folder's port says nothing.
    var shownName: String { (file ?? target) + suffix }

    private var suffix: String { fragment.map { "#\($0)" } ?? "" }
}

extension FindingPlace {
    /// `page:line:column`, as editors take it.
    var spot: String { "\(file ?? page):\(line):\(column)" }
}
