import Content
import Foundation
import Testing

@testable import TenureCLI

/// What has moved for good, in all formats.
@Suite struct MovedReportTests {
    private let from = "https://a.test/old"
    private let to = "https://b.test/new"

    private func report(_ findings: String = "") throws -> CheckReport {
        try SampleReport.report(findings, moved: SampleReport.moved(from, to: to))
    }

    @Test(arguments: [ReportFormat.text, .json, .markdown, .sarif, .github, .html])
    func `each says what to write in which place, and that nothing is wrong`(
        format: ReportFormat
    ) throws {
        let text = try format.write(try report(), folder: "site")
            .replacing("\\/", with: "/")
        #expect(text.contains(from) && text.contains(to), "\(text)")
        #expect(text.contains("a.html"))
        #expect(!text.contains("::error"))
    }

    @Test func `in SARIF it is a note, in its place`() throws {
        let text = try ReportFormat.sarif.write(try report(), folder: "site")
        #expect(text.contains(#""level":"note""#) || text.contains(#""level" : "note""#))
        #expect(!text.contains(#""error""#) || text.contains("movedForGood"))
        #expect(text.contains("movedForGood: \(from); write \(to)"))
    }

    @Test func `tables of findings leave it out, and where it counts it is told once`() throws {
        for format in [ReportFormat.csv, .junit] {
            #expect(try !format.write(try report(), folder: nil).contains(from))
        }
        let counted = SampleReport.finding("x", pages: "a")
            .replacing(#""code": "404""#, with: #""code": "movedForGood""#)
        let text = try ReportFormat.text.write(try report(counted), folder: nil)
        #expect(!text.contains("moved for good") && text.contains("movedForGood"))
    }

    @Test func `for people it is counted`() throws {
        let text = try ReportFormat.text.write(try report(), folder: "site")
        #expect(
            text.hasPrefix(
                "moved for good  \(from) → \(to)\n    site/a.html:3:4: anchor \(from) → \(to)\n"))
        #expect(text.contains("\n1 target moved for good, linked at 1 place\nno findings"))
    }
}
