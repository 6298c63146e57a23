import Content
import Foundation
import Testing
import YAML

@testable import TenureCLI

/// docs/rules.md says what there is, and all of it.
@Suite struct RuleDocumentTests {
    private static let document: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/rules.md")
        // Reason for `try?`: without the page every test here fails.
        return (try? String(contentsOf: root, encoding: .utf8)) ?? ""
    }()

    /// The rows of tables, by their cells.
    private static let rows = document.split(separator: "\n").filter { $0.hasPrefix("| `") }
        .map { $0.split(separator: "|").map(String.init) }
    private static let ours = rows.filter { $0[0].contains(":`") }
    private static let lychees = rows.filter { $0[0].contains("`--") }

    private func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static let keys =
        RuleKey.allCases.map(\.rawValue) + RuleKey.Limit.allCases.map(\.rawValue)
        + RuleKey.Accept.allCases.map(\.rawValue) + RuleKey.Request.allCases.map(\.rawValue)
        + RuleKey.Basic.allCases.map(\.rawValue) + RuleKey.Ignore.allCases.map(\.rawValue)

    @Test func `the table of keys has every key of a file, in the first cell or behind it`() {
        let named = Set(Self.ours.flatMap { quoted($0[0]) })
        #expect(named == Set(RuleKey.allCases.map { "\($0.rawValue):" }))
        for key in Self.keys {
            #expect(Self.ours.contains { $0.joined().contains("`\(key)") }, "\(key)")
        }
    }

    @Test func `the example is a file that is read, and says all that a file may say`() throws {
        let blocks = Self.document.components(separatedBy: "```")
        let example = try #require(blocks.first { $0.hasPrefix("yaml\n") }).dropFirst(5)
        let root = try #require(try YAMLReader.read(Array(example.utf8)))
        var reader = RuleReader(SiteCheckOptions(), name: "links.yaml", by: "ada")
        try reader.take(root)
        let rules = try reader.options.rules.validated()
        #expect(rules.requests.count == 2 && rules.ignore.count == 1 && rules.accept.count == 2)
        for key in Self.keys where key != "include" {
            #expect(example.contains("\(key):"), "\(key)")
        }
    }

    @Test func `what takes the place of lychee's options is there`() async throws {
        let tenure = Command()
        let help = try await tenure.run("check", "--help").output
        for cell in Self.lychees.map({ $0[1] }) + Self.ours.map({ $0[1] }) {
            for name in quoted(cell) {
                if name.hasPrefix("--") {
                    #expect(help.contains(name), "\(name)")
                } else if name.hasSuffix(":") {
                    #expect(RuleKey(rawValue: String(name.dropLast())) != nil, "\(name)")
                } else {
                    let words = name.split(separator: " ").dropFirst().map(String.init)
                    let result = try await tenure.start(words + ["--help"]).result()
                    #expect(result.code == 0 && result.output.contains("USAGE: \(name) "))
                }
            }
        }
    }

    /// As its manual page has them, 0.24.
    private static let options = """
        accept accept-timeouts archive base base-url basic-auth cache cache-exclude-status config
        cookie-jar default-extension dump dump-inputs exclude exclude-all-private exclude-file
        exclude-link-local exclude-loopback exclude-path exclude-private extensions
        fallback-extensions files-from format generate github-token glob-ignore-case header help
        hidden host-concurrency host-request-interval host-stats include include-fragments
        include-mail include-verbatim include-wikilinks index-files insecure max-cache-age
        max-concurrency max-redirects max-retries method min-tls mode no-ignore no-progress
        offline output preprocess quiet remap require-https retry-wait-time root-dir scheme
        skip-missing suggest threads timeout user-agent verbose version
        """

    @Test func `each of lychee's options has its row`() {
        let named = Self.lychees.flatMap { quoted($0[0]) }
        let all = Self.options.split(whereSeparator: \.isWhitespace).map { "--\($0)" }
        #expect(Set(named) == Set(all))
        #expect(named.count == all.count)
    }
}
