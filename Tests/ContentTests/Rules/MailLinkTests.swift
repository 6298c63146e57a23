import TenureFoundation
import TestSupport
import Testing
import Web

@testable import Content

/// Links to mail: whether each has an address, and whether its domain takes mail.
@Suite struct MailLinkTests {
    @Test(
        arguments: [
            ("mailto:ada@example.org", ["example.org"], [nil]),
            ("MAILTO:ada@Example.ORG?subject=a@b", ["example.org"], [nil]),
            ("mailto:ada%40example.org", ["example.org"], [nil]),
            (
                "mailto:a@x.org,b@y.org?cc=c%40z.org&bcc=d@w.org",
                ["x.org", "y.org", "z.org", "w.org"],
                [nil, nil, nil, nil]
            ),
            ("mailto:?subject=hello", [], []),
            ("mailto:", [nil], ["an address is missing"]),
            ("mailto:?cc=", [nil], ["an address is missing"]),
            ("mailto:ada@(home)x.org", [nil], ["\"(home)x.org\" is no domain"]),
            ("mailto:a@x.org;b@y.org", [nil], ["\"@\" may not stand before its @"]),
            ("mailto:müller@bücher.example", ["xn--bcher-kva.example"], [nil]),
            ("mailto:%22a%20b%22@x.org", ["x.org"], [nil]),
            ("mailto:ada@[192.0.2.1]", [nil], [nil]),
            ("mailto:ada", [nil], ["\"ada\" has no @"]),
            ("mailto:@x.org", [nil], ["nothing stands before its @"]),
            ("mailto:a..b@x.org", [nil], ["a dot stands where none may, before its @"]),
            ("mailto:a b@x.org", [nil], ["\" \" may not stand before its @"]),
            ("mailto:ada@", [nil], ["\"\" is no domain"]),
            ("mailto:ada@localhost", [nil], ["\"localhost\" is no domain"]),
            ("mailto:ada@x.org/y", [nil], ["\"x.org/y\" is no domain"]),
            ("mailto:ada@-x.org", [nil], ["\"-x.org\" is no domain"]),
            (
                "mailto:a@x.org,,b@y.org", ["x.org", nil, "y.org"],
                [nil, "an address is missing", nil]
            ),
        ] as [(String, [String?], [String?])])
    func `addresses are read as RFC 6068 writes them`(
        text: String, domains: [String?], problems: [String?]
    ) throws {
        let url = try #require(WebURL(text))
        let found = try #require(MailtoURL(url)).addresses
        #expect(found.map(\.domain) == domains && found.map(\.problem) == problems, "\(found)")
    }

    @Test func `links to mail that can't arrive are found when it is asked for`() async throws {
        let names = try NameServer([
            "mx-host=takes.test,mail.takes.test,10", "mx-host=null.test,.,0",
            "host-record=address.test,192.0.2.1", "txt-record=text.test,x",
        ])
        var bench = try await RuleBench("mail")
        bench.nameServer = ("127.0.0.1", names.port)
        let links = [
            "ada@takes.test", "ada@address.test", "ada@null.test", "ada@text.test", "ada@no.test",
            "ada", "ada@takes.test,bob@null.test",
        ]
        bench.web.answer(
            "/", .page(links.map { "<a href=mailto:\($0)>m</a>\n" }.joined() + "<a href=/two>t</a>")
        )
        bench.web.answer("/two", .page("<a href=mailto:ada@no.test>m</a>"))
        #expect(try await bench.check().findings.isEmpty)
        let report = try await bench.check(RuleBench.rules { $0.aspects.mail = true })
        let site = bench.web.url
        #expect(
            report.lines == [
                "badMail mailto:ada at \(site)/:6:9",
                "noMailServer mailto:ada@no.test at \(site)/:5:9 \(site)/two:1:9",
                "noMailServer mailto:ada@null.test at \(site)/:3:9",
                "noMailServer mailto:ada@takes.test,bob@null.test at \(site)/:7:9",
                "noMailServer mailto:ada@text.test at \(site)/:4:9",
            ])
        let details = Set(report.findings.compactMap(\.detail))
        #expect(
            details == [
                "\"ada\" has no @", "there is no domain no.test", "null.test takes no mail",
                "text.test takes no mail",
            ])
        #expect(report.unaskedMail == 0)
    }

    @Test func `where no name server says anything, it is said of how many links`() async throws {
        // It knows names below test, and refuses to speak of others.
        let names = try NameServer([])
        var bench = try await RuleBench("silent-mail")
        bench.nameServer = ("127.0.0.1", names.port)
        bench.web.answer(
            "/", .page("<a href=mailto:a@x.org>a</a><a href=mailto:ada>b</a>"))
        let rules = RuleBench.rules { $0.aspects.mail = true }
        let report = try await bench.check(rules)
        #expect(report.findings.map(\.code) == ["badMail"] && report.unaskedMail == 1)
        // Nor of one that is longer than what is kept of it.
        let long = (0..<200).map { "a\($0)@takes.test" }.joined(separator: ",")
        bench.web.answer("/", .page("<a href=mailto:\(long)>a</a>"))
        let cut = try await bench.check(rules)
        #expect(cut.findings.isEmpty && cut.unaskedMail == 1)
    }
}
