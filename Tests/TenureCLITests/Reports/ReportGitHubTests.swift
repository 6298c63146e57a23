import Content
import Foundation
import Testing

@testable import TenureCLI

@Suite struct ReportGitHubTests {
    private func lines(_ report: CheckReport, folder: String? = "site") -> [String] {
        ReportGitHub.text(report, root: SourceRoot(folder: folder)).components(separatedBy: "\n")
    }

    @Test func `a finding is an annotation at its file, and is in the log`() throws {
        let lines = lines(try SampleReport.report(SampleReport.finding("x", pages: "a,b", "c")))
        #expect(
            lines[0]
                == "::error file=site/a%2Cb,line=3,col=4,title=404%3A There is nothing at this "
                + #"URL::x (gone), "t"; and 1 more place"#)
        #expect(lines[1].hasPrefix("::error file=site/c,"))
        #expect(lines.contains("::group::All findings") && lines.contains("::endgroup::"))
        #expect(lines.contains("|     site/c:3:4: a x"))
        #expect(lines.last == "site: 2 pages, 1 finding at 2 places")
    }

    @Test func `each finding has an annotation before any has two, and ten is the most`() throws {
        let findings = (0..<8).map { SampleReport.finding("x\($0)", pages: "a", "b", "c") }
        let lines = lines(try SampleReport.report(findings.joined(separator: ",")))
        let annotations = lines.filter { $0.hasPrefix("::error") }
        #expect(annotations.count == 10)
        #expect(annotations.prefix(8).allSatisfy { $0.contains("file=site/a,") })
        #expect(annotations.suffix(2).allSatisfy { $0.contains("file=site/b,") })
        let many = (0..<30).map { SampleReport.finding("x\($0)", pages: "a", isConfirmed: false) }
        let doubted = self.lines(try SampleReport.report(many.joined(separator: ",")))
        #expect(doubted.count { $0.hasPrefix("::warning") } == 10)
        #expect(doubted.last?.hasSuffix("no findings, 30 not sure yet") == true)
    }

    @Test func `pages of a site are named in the message`() throws {
        let report = try SampleReport.report(
            SampleReport.finding("x", pages: "a").replacing(#""file": "x", "#, with: "")
                .replacing(#""file": "a", "#, with: ""), site: true)
        let line = lines(report, folder: nil)[0]
        #expect(line.hasPrefix("::error title=404%3A There is nothing at this URL::"))
        #expect(line.contains("at http://127.0.0.1:1/a:3:4"))
    }

    /// To Swift the sign before it and the first `#` are one character.
    @Test func `an old command is none behind a sign that joins what follows`() throws {
        for sign in ["\u{0D4E}", "\u{111C2}", "#", ""] {
            let finding = SampleReport.finding("x\(sign)##[set-output name=a;]b", pages: "a")
            for line in lines(try SampleReport.report(finding)) {
                #expect(!Array(line.utf8).contains(sequence: Array("##[".utf8)), "\(line)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `no text is a command, or ends one`(site: Bool) throws {
        let lines = lines(try SampleReport.hostileReport(site: site), folder: site ? nil : "site")
        let commands = lines.filter { $0.drop { $0.isWhitespace }.hasPrefix("::") }
        let known =
            #/
            ::(error|warning)\ [^:\r]*::[^\r]*
            | ::group::(All\ findings|Moved\ for\ good) | ::endgroup::
            /#
        for command in commands {
            #expect(command.wholeMatch(of: known) != nil, "\(command.prefix(300))")
            #expect(command.utf8.count < 8000)
        }
        #expect(!lines.contains { $0.contains("##[") })
        #expect(lines.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
