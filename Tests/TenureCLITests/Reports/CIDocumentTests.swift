import ArgumentParser
import Foundation
import Testing

@testable import TenureCLI

/// docs/ci.md quotes commands that there are; `bin/test reports` parses its YAML.
@Suite struct CIDocumentTests {
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/ci.md"), encoding: .utf8)
    }

    /// What stands behind `tenure` in a line of code, without quotes.
    private static func commands(in page: String) -> [[String]] {
        page.matches(
            of: #/(?:- |run: |entry: |`|site |^)tenure (?<rest>[a-z][^`\n]*)/#
                .anchorsMatchLineEndings()
        ).map { match in
            match.rest.matches(of: #/'([^']*)'|[^\s']+/#).map { String($0.1 ?? $0.0) }
        }
    }

    @Test func `each command of the page is one of ours, with flags that it has`() throws {
        let commands = Self.commands(in: try Self.page()).filter {
            $0.first != "links" || $0.count > 2
        }
        #expect(commands.count >= 9, "\(commands)")
        for command in commands where !command.contains("ID") && command != ["check"] {
            // Ids stand for those of somebody's checks.
            let arguments = command.map { ["A", "B"].contains($0) ? UUID().uuidString : $0 }
            do {
                _ = try RootCommand.parseAsRoot(arguments)
            } catch {
                Issue.record("\(command): \(RootCommand.message(for: error))")
            }
        }
    }

    @Test func `each format is told of`() throws {
        let page = try Self.page()
        for format in ReportFormat.allCases {
            #expect(page.contains("| `\(format.rawValue)` |"), "\(format)")
        }
    }
}
