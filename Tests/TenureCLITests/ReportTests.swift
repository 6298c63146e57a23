import Content
import Foundation
import Testing

@testable import TenureCLI

/// Reports in their formats, and what a baseline leaves of them.
@Suite struct ReportTests {
    private static func report(_ findings: String) throws -> CheckReport {
        try JSONDecoder().decode(
            CheckReport.self,
            from: Data(
                """
                {"check": "r", "site": "http://127.0.0.1:1/", "folder": "site", "pages": 2,
                 "references": 3, "targets": {"ok": 2}, "isComplete": true, "wasCancelled": false,
                 "discardedJobs": 0, "skippedForContact": 0, "unreadPages": 0,
                 "findings": [\(findings)]}
                """.utf8))
    }

    private static func finding(
        _ file: String, pages: String..., text: String = "t", isConfirmed: Bool = true
    ) -> String {
        let places = pages.map {
            #"{"page": "http://127.0.0.1:1/\#($0)", "file": "\#($0)", "line": 3, "column": 4, "#
                + #""kind": "a", "raw": "\#(file)", "text": "\#(text)"}"#
        }
        return #"{"target": "http://127.0.0.1:1/\#(file)", "file": "\#(file)", "code": "404", "#
            + #""status": 404, "detail": "gone", "isConfirmed": \#(isConfirmed), "#
            + #""isHard": false, "#
            + #""places": [\#(places.joined(separator: ", "))]}"#
    }

    @Test func `a baseline leaves what is new: findings, and new places of known ones`() throws {
        let known = Baseline(
            try Self.report(Self.finding("x", pages: "a") + "," + Self.finding("y", pages: "a")))
        let text = try JSONText.encode(known)
        let read = try JSONDecoder().decode(Baseline.self, from: Data(text.utf8))
        let news = read.news(
            in: try Self.report(
                [
                    Self.finding("x", pages: "a", "b"), Self.finding("y", pages: "a"),
                    Self.finding("z", pages: "a"),
                ].joined(separator: ",")))
        #expect(news.findings.map(\.file) == ["x", "z"])
        #expect(news.findings[0].places.map(\.file) == ["b"])
        #expect(read.news(in: try Self.report(Self.finding("x", pages: "a"))).findings.isEmpty)
    }

    @Test func `a suspect isn't known: once it is confirmed, it is new`() throws {
        let suspect = try Self.report(Self.finding("x", pages: "a", isConfirmed: false))
        let known = Baseline(suspect)
        #expect(known.news(in: suspect).findings.count == 1)
        let confirmed = try Self.report(Self.finding("x", pages: "a"))
        #expect(known.news(in: confirmed).confirmed.count == 1)
    }

    @Test func `JUnit has a failure for each finding, and is well formed whatever a page says`()
        throws
    {
        let report = try Self.report(
            Self.finding("x", pages: "a", text: #"<&\"]]>\u0001"#) + ","
                + Self.finding("y&z", pages: "a"))
        let xml = ReportJUnit.text(report)
        #expect(xml.contains(#"tests="2" failures="2""#))
        #expect(xml.contains("y&amp;z") && !xml.contains("\u{1}"))
        #expect(ReportJUnit.text(try Self.report("")).contains(#"tests="1" failures="0""#))
    }

    @Test func `CSV has a row for each place, and no cell is a formula`() throws {
        let report = try Self.report(
            Self.finding("x", pages: "a", "b", text: #"=1+1,\"q\""#))
        let rows = ReportCSV.text(report).components(separatedBy: "\r\n")
        #expect(rows.count == 3)
        #expect(rows[0].hasPrefix("code,status,confirmed,hard,target"))
        #expect(rows[1] == #"404,404,true,false,x,,a,3,4,a,x,"'=1+1,""q""",gone,,"#)
    }

    @Test func `Markdown is one table whatever a page says`() throws {
        let text = ReportMarkdown.text(try Self.report(Self.finding("x|y`", pages: "a")))
        #expect(text.hasSuffix(#"| `404` | `x\|y'` | `a:3:4` |"#))
        #expect(text.contains("**1 finding**"))
    }
}
