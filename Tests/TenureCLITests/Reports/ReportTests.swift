import Content
import Foundation
import Tenure
import Testing

@testable import TenureCLI

/// Reports in their formats, and what a baseline leaves of them.
@Suite struct ReportTests {
    @Test func `a baseline leaves what is new: findings, and new places of known ones`() throws {
        let known = Baseline(
            try SampleReport.report(
                SampleReport.finding("x", pages: "a") + "," + SampleReport.finding("y", pages: "a"))
        )
        let text = try JSONText.encode(known)
        let read = try JSONDecoder().decode(Baseline.self, from: Data(text.utf8))
        let news = read.news(
            in: try SampleReport.report(
                [
                    SampleReport.finding("x", pages: "a", "b"),
                    SampleReport.finding("y", pages: "a"),
                    SampleReport.finding("z", pages: "a"),
                ].joined(separator: ",")))
        #expect(news.findings.map(\.file) == ["x", "z"])
        #expect(news.findings[0].places.map(\.file) == ["b"])
        #expect(
            read.news(in: try SampleReport.report(SampleReport.finding("x", pages: "a"))).findings
                .isEmpty)
    }

    @Test func `a suspect isn't known: once it is confirmed, it is new`() throws {
        let suspect = try SampleReport.report(
            SampleReport.finding("x", pages: "a", isConfirmed: false))
        let known = Baseline(suspect)
        #expect(known.news(in: suspect).findings.count == 1)
        let confirmed = try SampleReport.report(SampleReport.finding("x", pages: "a"))
        #expect(known.news(in: confirmed).confirmed.count == 1)
    }

    @Test func `JUnit has a failure for each finding, and is well formed whatever a page says`()
        throws
    {
        let report = try SampleReport.report(
            SampleReport.finding("x", pages: "a", text: #"<&\"]]>\u0001"#) + ","
                + SampleReport.finding("y&z", pages: "a"))
        let xml = ReportJUnit.text(report)
        #expect(xml.contains(#"tests="2" failures="2""#))
        #expect(xml.contains("y&amp;z") && !xml.contains("\u{1}"))
        #expect(ReportJUnit.text(try SampleReport.report("")).contains(#"tests="1" failures="0""#))
    }

    @Test func `CSV has a row for each place, and no cell is a formula`() throws {
        let report = try SampleReport.report(
            SampleReport.finding("x", pages: "a", "b", text: #"=1+1,\"q\""#))
        let rows = ReportCSV.text(report).components(separatedBy: "\r\n")
        #expect(rows.count == 3)
        #expect(rows[0].hasPrefix("code,status,confirmed,hard,target"))
        #expect(rows[1] == #"404,404,true,false,x,,a,3,4,a,x,"'=1+1,""q""",gone,,"#)
    }

    @Test func `Markdown is one table whatever a page says`() throws {
        let text = ReportMarkdown.text(
            try SampleReport.report(SampleReport.finding("x|y`", pages: "a")))
        #expect(text.hasSuffix(#"| `404` | `x\|y'` | `a:3:4` |"#))
        #expect(text.contains("**1 finding**"))
    }

    @Test func `what is ignored is told of in text, JSON, JUnit and Markdown, and fails nobody`()
        throws
    {
        let rule = SampleReport.rule(7, reason: "their server moves")
        let report = try SampleReport.report(
            ignored: SampleReport.ignored(SampleReport.finding("x", pages: "a"), by: rule),
            ended: SampleReport.rule(8, until: "2026-01-31"))
        let text = ReportText(report, folder: nil).text
        #expect(
            text.hasSuffix(
                """
                1 ignored by rule 7: their server moves (ada)
                rule 8 has ended on 2026-01-31: known (ada); what it was about counts again
                no findings
                """))
        let json = try JSONText.encode(report)
        #expect(json.contains(#""ignored" : ["#) && json.contains(#""madeBy" : "ada""#))
        let xml = ReportJUnit.text(report)
        #expect(xml.contains(#"failures="0""#) && xml.contains("ignored by rule 7: their server"))
        #expect(ReportMarkdown.text(report).contains("`1 ignored by rule 7: their server moves"))
    }

    @Test(arguments: ReportFormat.allCases)
    func `a check that was cut short says so, even if it has found nothing`(
        format: ReportFormat
    ) throws {
        let whole = try format.write(SampleReport.report(), folder: "site")
        let cut = try format.write(SampleReport.report(isCut: true), folder: "site")
        switch format {
        // A table of places has no room for it: the exit code tells.
        case .csv: #expect(cut == whole)
        case .json: #expect(cut.contains(#""wasCancelled" : true"#))
        case .sarif: #expect(cut.contains(#""executionSuccessful" : false"#))
        case .junit: #expect(cut.contains(#"errors="1""#) && cut.contains("was cancelled"))
        case .text, .markdown, .github, .html:
            #expect(cut.contains("check r was cancelled: this is what it had found by then"))
        }
        #expect(!whole.contains("was cancelled"))
    }

    @Test(arguments: ReportFormat.allCases)
    func `no format is led astray by what pages say`(format: ReportFormat) throws {
        for site in [false, true] {
            let report = try SampleReport.hostileReport(site: site)
            let text = Terminal.shown(try format.write(report, folder: site ? nil : "site"))
            let ours: Set<Unicode.Scalar> = format == .csv ? ["\n", "\r"] : ["\n"]
            for scalar in text.unicodeScalars where !ours.contains(scalar) {
                let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                #expect(!isControl && !(0x202A...0x202E).contains(scalar.value))
            }
            switch format {
            case .json, .sarif: _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
            case .junit, .text, .csv, .markdown, .github, .html: break
            }
        }
    }

    @Test(arguments: ["", "sarif", "=x", "sarif=", "pdf=x"])
    func `a file's report is FORMAT=FILE`(text: String) {
        #expect(throws: (any Error).self) { try ReportFile(text) }
    }

    @Test func `a report's file is replaced as a whole, and has its place beforehand`() async throws
    {
        try await withFolder { folder in
            let file = try ReportFile("json=\(folder)/a=b.json")
            #expect(file.path == "\(folder)/a=b.json")
            try file.requirePlace()
            try file.write("old and long")
            try file.write("new")
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "new\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a=b.json"])
            for path in [folder, "\(folder)/none/x"] {
                #expect(throws: Failure.self) { try ReportFile("json=\(path)").requirePlace() }
            }
            try ReportFile("json=/dev/null").write("gone")
            var isFolder = false
            #expect(FileManager.default.fileExists(atPath: "/dev/null", isDirectory: &isFolder))
        }
        #expect(throws: (any Error).self) { try ReportFile.all(["json=x", "sarif=x"]) }
    }
}
