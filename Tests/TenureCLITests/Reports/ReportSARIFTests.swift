import Content
import Foundation
import Testing

@testable import TenureCLI

/// What `bin/test reports` doesn't see: the schema says nothing of what results mean.
@Suite struct ReportSARIFTests {
    private func run(_ report: CheckReport, folder: String? = nil) throws -> [String: Any] {
        let text = try ReportSARIF.text(
            report, root: SourceRoot(folder: folder, in: "/builds/ada/repository"))
        let log = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (log?["runs"] as? [[String: Any]])?.first ?? [:]
    }

    private func results(_ run: [String: Any]) -> [[String: Any]] {
        run["results"] as? [[String: Any]] ?? []
    }

    private func artifact(_ result: [String: Any]) -> [String: String] {
        let location = (result["locations"] as? [[String: Any]])?.first
        let physical = location?["physicalLocation"] as? [String: Any]
        return physical?["artifactLocation"] as? [String: String] ?? [:]
    }

    private func fingerprints(_ report: CheckReport) throws -> [String] {
        try results(run(report)).compactMap { result in
            (result["partialFingerprints"] as? [String: String])?["tenureFinding/v1"]
        }
    }

    @Test func `each place is a result, of the one rule of its code`() throws {
        let report = try SampleReport.report(
            SampleReport.finding("x", pages: "a", "b") + ","
                + SampleReport.finding("y", pages: "a", isConfirmed: false))
        let run = try run(report, folder: "./public")
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        #expect((driver?["rules"] as? [Any])?.count == 1)
        #expect(results(run).map { $0["level"] as? String } == ["error", "error", "warning"])
        #expect(results(run).allSatisfy { $0["ruleIndex"] as? Int == 0 })
    }

    @Test(arguments: [
        ("./public", "public/a", "%SRCROOT%"), ("public/", "public/a", "%SRCROOT%"),
        (".", "a", "%SRCROOT%"), ("/builds/ada/repository/x y", "x%20y/a", "%SRCROOT%"),
        ("../other", "file:///builds/ada/other/a", nil), ("/tmp/site", "file:///tmp/site/a", nil),
    ])
    func `files are relative to the repository's root where they are in it`(
        folder: String, uri: String, base: String?
    ) throws {
        let report = try SampleReport.report(SampleReport.finding("x", pages: "a"))
        let artifact = artifact(try results(run(report, folder: folder))[0])
        #expect(artifact["uri"] == uri && artifact["uriBaseId"] == base)
    }

    @Test func `a site's places are its pages`() throws {
        let report = try SampleReport.report(SampleReport.finding("x", pages: "a"), site: true)
        let artifact = artifact(try results(run(report))[0])
        #expect(artifact == ["uri": "http://127.0.0.1:1/a"])
    }

    @Test func `a result is known again whatever line it has moved to, and no two are the same`()
        throws
    {
        let text = SampleReport.finding("x", pages: "a", "a", "b")
        let first = try fingerprints(try SampleReport.report(text))
        let moved = try fingerprints(
            try SampleReport.report(text.replacing(#""line": 3"#, with: #""line": 9"#)))
        #expect(first == moved && Set(first).count == 3)
    }

    @Test func `what is ignored is suppressed, with who said so and why`() throws {
        let rule = SampleReport.rule(7, reason: "their server moves")
        let report = try SampleReport.report(
            ignored: SampleReport.ignored(SampleReport.finding("x", pages: "a"), by: rule))
        let suppressions = try results(run(report))[0]["suppressions"] as? [[String: String]]
        #expect(suppressions?.first?["justification"] == "their server moves (ada)")
    }

    @Test func `no text is a link or a place for an argument`() throws {
        let report = try SampleReport.report(
            SampleReport.finding("x", pages: "a", text: "{0} [a](b)"))
        let message = try results(run(report))[0]["message"] as? [String: String]
        #expect(message?["text"]?.contains(#"{{0}} \[a\](b)"#) == true)
    }

    @Test(arguments: [false, true])
    func `hostile texts make a log that can be read, of URIs alone`(site: Bool) throws {
        let run = try run(try SampleReport.hostileReport(site: site), folder: site ? nil : ".")
        #expect(results(run).count == SampleReport.hostile.count * 3 + 2)
        for result in results(run) {
            let uri = artifact(result)["uri"] ?? ""
            #expect(
                uri.wholeMatch(of: #/(?:[A-Za-z0-9._~:\/?#@!$&'()*+,;=-]|%[0-9A-F]{2})+/#) != nil)
        }
    }
}
