import Content
import Foundation
import Testing

@testable import TenureCLI
@testable import TenureWeb

/// What can be told from the text; `bin/test reports` looks at it in a browser.
@Suite struct ReportHTMLTests {
    @Test func `values are escaped, and markup is not`() {
        let value = #"<b>"it's" & so</b>"#
        let inner: Markup = "<i>\(value)</i>"
        let text = (Markup("<p>\(inner)\(3)</p>")).text
        #expect(text == "<p><i>&lt;b&gt;&quot;it&#39;s&quot; &amp; so&lt;/b&gt;</i>3</p>")
    }

    @Test(arguments: [false, true])
    func `no text is markup, a script's address, or turns others round`(site: Bool) throws {
        let page = ReportHTML.text(try SampleReport.hostileReport(site: site), folder: "site")
        #expect(page.components(separatedBy: "<script").count == 2)
        #expect(!page.contains("javascript:") || !page.contains(#"href="javascript"#))
        #expect(page.matches(of: #/(?:href|src)="(?!https?:\/\/)/#).isEmpty)
        for scalar in page.unicodeScalars where scalar != "\n" {
            let isObeyed = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let turns = (0x202A...0x202E).contains(scalar.value) || scalar.value == 0x2066
            #expect(!isObeyed && !turns && scalar.value & 0xFFFE != 0xFFFE)
        }
        #expect(page.utf8.count < 1_000_000, "long texts are cut off")
    }

    @Test func `a report without findings has nothing to filter`() throws {
        let page = ReportHTML.text(try SampleReport.report(), folder: "site")
        #expect(page.contains("no findings") && !page.contains(#"class="tools""#))
        #expect(page.contains("<h1>Links of <bdi>site</bdi></h1>"))
    }

    @Test func `what is ignored has a section of its own, with who said so`() throws {
        let rule = SampleReport.rule(7, reason: "their server moves")
        let report = try SampleReport.report(
            ignored: SampleReport.ignored(SampleReport.finding("x", pages: "a"), by: rule),
            ended: SampleReport.rule(8, until: "2026-01-31"))
        let page = ReportHTML.text(report, folder: nil)
        #expect(page.contains("Ignored by rule 7: their server moves (ada)"))
        #expect(page.contains("rule 8 has ended on 2026-01-31: known (ada)"))
    }

    @Test func `more places than anybody reads are counted`() throws {
        let pages = (0..<ReportHTML.mostPlaces + 5).map {
            #"{"page": "p\#($0)", "line": 1, "column": 1, "kind": "a", "raw": "x"}"#
        }
        let finding = SampleReport.finding("x").replacing(
            #""places": []"#, with: #""places": [\#(pages.joined(separator: ","))]"#)
        let page = ReportHTML.text(try SampleReport.report(finding), folder: nil)
        #expect(page.contains("and 5 more places") && page.contains("There are more"))
    }

    @Test func `URLs are what RFC 3986 has, and mean the same`() {
        for (url, uri) in [
            ("http://[::1]:80/a[1]?b|c#d#e", "http://[::1]:80/a%5B1%5D?b%7Cc#d%23e"),
            ("https://a.test/%zz%41/ü", "https://a.test/%25zz%41/%C3%BC"),
            ("https://a.test/a b\"<>", "https://a.test/a%20b%22%3C%3E"), ("", ""), ("x", "x"),
        ] {
            #expect(SafeURI.url(url) == uri)
        }
    }
}
