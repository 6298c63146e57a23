import ArgumentParser
import Tenure

/// What a command has found or done: for programs as JSON, for people as text.
protocol Report: Encodable, Sendable {
    /// Nothing in it does anything on a terminal: tables and sheets see to that for what they hold.
    var text: String { get }
    /// Something isn't right, and is told in it: the command ends with 1.
    var hasFindings: Bool { get }
}

extension Report {
    var hasFindings: Bool { false }
}

extension Terminal {
    /// - Throws: `ExitCode` for a report that has findings.
    static func report(_ report: some Report, json: Bool) throws {
        let text = json ? try JSONText.encode(report) : report.text
        if !text.isEmpty { output(text) }
        if report.hasFindings { throw ExitCode(Exit.findings) }
    }
}

/// Rows: an array for programs, a table for people.
struct Listing<Element: TableRow>: Report {
    let rows: [Element]
    /// What people read where there are none.
    let none: String

    init(_ rows: [Element], none: String) {
        self.rows = rows
        self.none = none
    }

    func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }

    var text: String {
        if rows.isEmpty { return none }
        return ([Table(rows).text] + rows.compactMap(\.note)).joined(separator: "\n")
    }
}
