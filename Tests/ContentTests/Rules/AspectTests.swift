import Tenure
import TenureFoundation
import TestSupport
import Testing
import Web

@testable import Content

/// What has moved for good, and what leads away from https.
@Suite struct AspectTests {
    @Test func `redirects for good are reported with what to write, and fail nothing`()
        async throws
    {
        let bench = try await RuleBench("moved")
        let other = bench.other.url
        bench.web.answer(
            "/",
            .page(
                "<a href=old/#part>o</a> <a href=/old/>o</a> <a href=\(other)/a>a</a> "
                    + "<a href=/dead>d</a> <a href=/away>w</a> <a href=/new/>n</a>"))
        bench.web.answer("/old/", .redirect(301, "/older"))
        bench.web.answer("/older", .redirect(308, "/new/"))
        bench.web.answer("/new/", .page("<p id=part>new <a href=../old/>o</a>"))
        bench.web.answer("/dead", .redirect(301, "/nowhere"))
        bench.web.answer("/away", .redirect(302, "/new/"))
        bench.other.answer("/a", .redirect(301, "/b"))
        bench.other.answer("/b", .redirect(302, "/c"))
        bench.other.answer("/c", .status(200))
        let report = try await bench.check()
        #expect(report.findings.map(\.code) == ["404"])
        let site = bench.web.url
        let moved = Dictionary(uniqueKeysWithValues: report.moved.map { ($0.from, $0) })
        #expect(Set(moved.keys) == ["\(site)/old/", "\(other)/a"])
        let old = try #require(moved["\(site)/old/"])
        #expect(old.to == "\(site)/new/" && old.isConfirmed)
        #expect(old.places.map(\.raw) == ["old/#part", "/old/", "../old/"])
        #expect(old.places.map(\.replacement) == ["new/#part", "/new/", "./"])
        // To the last that is for good; and seen once, somebody else's is not sure.
        let foreign = try #require(moved["\(other)/a"])
        #expect(foreign.to == "\(other)/b" && !foreign.isConfirmed)
        #expect(foreign.places.map(\.replacement) == ["\(other)/b"])
        let counted = try await bench.check(RuleBench.rules { $0.aspects.moved = true })
        #expect(counted.confirmed.map(\.code).sorted() == ["404", "movedForGood", "movedForGood"])
        #expect(counted.findings.first { $0.target == "\(other)/a" }?.detail == "to \(other)/b")
    }

    @Test func `foreign pages that say that they aren't there are found when it is asked for`()
        async throws
    {
        let bench = try await RuleBench("soft-404")
        let other = bench.other.url
        bench.web.answer(
            "/",
            .page(
                ["/lost", "/sent/there", "/well", "/file"].map { "<a href=\(other)\($0)>x</a>" }
                    .joined()))
        let missing = "<title>Page not found</title><p>Sorry, there is no such page here."
        bench.other.answer("/lost", .page(missing))
        bench.other.answer("/sent/there", .redirect(302, "/"))
        bench.other.answer("/", .page("<title>Start</title><p>Welcome."))
        bench.other.answer("/well", .page("<title>On 404</title><p>" + missing))
        bench.other.answer("/file", .status(200))
        #expect(try await bench.check().findings.isEmpty)
        var options = RuleBench.options
        (options.freshSeconds, options.strict) = (0, true)
        let rules = RuleBench.rules { $0.aspects.softMissing = true }
        let report = try await bench.check(rules, options)
        #expect(report.findings.map(\.code) == ["foreignSoft404"])
        #expect(report.findings.map(\.target) == ["\(other)/lost"])
        #expect(report.findings.allSatisfy(\.isConfirmed) && report.isComplete)
        // Without the rule nobody looks, and it is as if it were well.
        #expect(try await bench.check(CheckRules(), options).findings.isEmpty)
    }

    @Test func `a site that makes up folders as long as they are followed has an end`()
        async throws
    {
        let bench = try await RuleBench("endless")
        bench.web.answer("*") { request in
            .page("<title>\(request.path)</title><a href=a/>a</a> <a href=b/>b</a>")
        }
        let report = try await bench.check()
        // Of words of a and b, those with three of each at most, and what follows them.
        #expect(report.isComplete && report.findings.isEmpty)
        #expect(report.pages == 69 && report.endless == 70)
    }

    @Test(arguments: ["bar", "count", "query"])
    func `a site that makes up URLs without an end is checked as far as it may be`(kind: String)
        async throws
    {
        let bench = try await RuleBench("endless-\(kind)")
        let bar = ["home", "about", "shop", "blog", "help"].map { "<a href=\($0)/>l</a>" }.joined()
        bench.web.answer("*") { request in
            let number = Int(request.path.drop { !"0123456789".contains($0) }) ?? 0
            return switch kind {
            case "bar": .page(bar)
            case "count": .page("<title>\(number)</title><a href=/p/\(number + 1)>next</a>")
            default: .page("<title>\(number)</title><a href=/?n=\(number + 1)>next</a>")
            }
        }
        var options = RuleBench.options
        options.pages = 300
        let report = try await bench.check(CheckRules(), options)
        #expect(report.isComplete && report.beyondLimit > 0, "\(report)")
        // Of the bar's pages some repeat themselves, and are no pages that are followed.
        #expect((290...400).contains(report.pages), "\(report.pages)")
    }

    @Test func `of the pages that a check has room for, none is left out`() async throws {
        let bench = try await RuleBench("room")
        let links = (1..<50).map { "<a href=/\($0)>l</a>" }.joined()
        bench.web.answer("*") { .page("<title>\($0.path)</title>" + links) }
        var options = RuleBench.options
        options.pages = 50
        let whole = try await bench.check(CheckRules(), options)
        #expect(whole.pages == 50 && whole.beyondLimit == 0)
        options.pages = 49
        let cut = try await bench.check(CheckRules(), options)
        #expect(cut.pages == 49 && cut.beyondLimit == 1)
    }

    @Test(arguments: [
        ("http://a.test/a/a/a/a", true), ("http://a.test/a/a/a/?q=/a/a/a", false),
        ("http://a/a/a/a/", false), ("http://a.test/x/a/y/a/z/a/w/a/", true),
        ("http://a.test/" + (1...60).map { "n\($0)/" }.joined(), false),
        ("http://a.test/" + (1...61).map { "n\($0)/" }.joined(), true),
        ("http://a.test/////////", false), ("http://a.test/ü/ü/ü/ü/", true),
    ])
    func `statements know endless paths as the code does`(href: String, isEndless: Bool)
        async throws
    {
        let url = try #require(WebURL(href))
        #expect(EndlessPath.isEndless(url) == isEndless)
        let bench = try await RuleBench("endless-paths")
        let rows = try await bench.fixture.pool.query(
            "SELECT \(SpreadCheck.isEndless("'\(url.href)'"))"
        ) { try $0.decode(0, as: Bool.self) }
        #expect(rows == [isEndless])
    }

    @Test(arguments: [(150, []), (250, ["sameEverywhere"])])
    func `of pages with which nothing else is wrong it is said where they are many`(
        pages: Int, codes: [String]
    ) async throws {
        let bench = try await RuleBench("same-pages")
        bench.web.answer("*", .page((1...pages).map { "<a href=/p\($0)>p</a>" }.joined()))
        #expect(try await bench.check().findings.map(\.code) == codes)
    }

    @Test func `a sitemap that hasn't changed is read all the same`() async throws {
        let bench = try await RuleBench("sitemap")
        let site = bench.web.url
        let sitemap = "<urlset><url><loc>\(site)/a</loc></url></urlset>"
        bench.web.answer("/") { request in
            request["If-None-Match"] == nil
                ? LocalWeb.Answer(
                    headers: ["Content-Type: text/xml", "ETag: \"1\""], body: Array(sitemap.utf8))
                : .status(304)
        }
        bench.web.answer("/a", .page("<a href=/dead>d</a>"))
        for _ in 1...2 {
            let report = try await bench.check()
            #expect(report.lines == ["404 \(site)/dead at \(site)/a:1:9"])
        }
        // One that pages lead to is a file.
        bench.web.answer("/", .page("<a href=/map.xml>m</a>"))
        bench.web.answer(
            "/map.xml",
            LocalWeb.Answer(headers: ["Content-Type: text/xml"], body: Array(sitemap.utf8)))
        #expect(try await bench.check().findings.isEmpty)
    }

    @Test func `what a sitemap names that is no page's URL is a finding`() async throws {
        let bench = try await RuleBench("bad-sitemap")
        let entries = ["relative", "ftp://a.test/f", "\(bench.web.url)/well"]
            .map { "<url><loc>\($0)</loc></url>" }.joined(separator: "\n")
        bench.web.answer(
            "/",
            LocalWeb.Answer(
                headers: ["Content-Type: text/xml"], body: Array("<urlset>\(entries)</urlset>".utf8)
            ))
        bench.web.answer("/well", .page("well"))
        let site = bench.web.url
        #expect(
            try await bench.check().lines == [
                "badURL ftp://a.test/f at \(site)/:2:6", "badURL relative at \(site)/:1:14",
            ])
    }

    @Test(arguments: [
        "<title>Start</title><a href=/#no>n</a>",
        "<title>404 Not Found</title><p>Not found.",
    ])
    func `a site that answers everything with one page is told so, once`(page: String)
        async throws
    {
        let bench = try await RuleBench("one-page")
        let links = (1...60).map { "<a href=/p\($0)#part>p</a>" }.joined()
        bench.web.answer("*", .page(page + links))
        bench.web.answer("/p7", .page("<title>Other</title><a href=/dead>d</a>"))
        let report = try await bench.check()
        let site = bench.web.url
        let others = report.findings.filter { $0.code != "sameEverywhere" }.map(\.target)
        #expect(others == ["\(site)/p7"])
        let same = try #require(report.findings.first { $0.code == "sameEverywhere" })
        #expect(same.target == "\(site)/" && same.isConfirmed && same.places.isEmpty)
        #expect(same.detail == "61 of 62 pages are one and the same, byte for byte")
    }

    @Test(arguments: [
        ("old", "https://a.test/x/y", "https://a.test/x/new", "new"),
        ("../old", "https://a.test/x/y/z", "https://a.test/x/new?q#f", "../new?q"),
        ("old#f", "https://a.test/x/y", "https://a.test/p/q/", "../p/q/#f"),
        ("/old", "https://a.test/x/y", "https://a.test/new", "/new"),
        ("https://a.test/old", "https://a.test/x", "https://a.test/new", "https://a.test/new"),
        ("old", "https://a.test/x/y", "https://b.test/new", "https://b.test/new"),
        ("//a.test/old", "https://a.test/x", "https://a.test/new", "https://a.test/new"),
        ("old", "https://a.test/x/", "https://a.test/x/", "./"),
        ("old", "https://a.test/x/", "https://a.test/x/b:c", "./b:c"),
    ])
    func `a reference is written again in the way that it was written`(
        raw: String, page: String, target: String, expected: String
    ) throws {
        let text = Replacement.text(
            for: raw, on: try WebURL.parse(page),
            leadingTo: try WebURL.parse(target).withoutFragment)
        #expect(text == expected)
        let resolved = try WebURL.parse(text, base: try WebURL.parse(page)).withoutFragment
        #expect(try resolved.href == WebURL.parse(target).withoutFragment.href)
    }

    @Test func `http on https is told of when it is asked for`() async throws {
        let bench = try await CheckBench(
            "insecure",
            [
                "https://site.test/": FakeWeb.Page(
                    body: """
                        <a href=http://a.test/>a</a> <img src=http://a.test/i.png>
                        <a href=https://a.test/>s</a> <a href=http://localhost:8080/>l</a>
                        <link rel=stylesheet href=http://a.test/s.css><form action=http://a.test/>
                        """),
                "http://a.test/": FakeWeb.Page(), "https://a.test/": FakeWeb.Page(),
                "http://a.test/i.png": FakeWeb.Page(type: "image/png"),
                "http://a.test/s.css": FakeWeb.Page(type: "text/css"),
            ])
        let usual = try await bench.check()
        #expect(!usual.findings.contains { $0.code == "insecureLink" || $0.code == "mixedContent" })
        let rules = RuleBench.rules { $0.aspects.insecureLinks = true }
        let report = try await bench.check(rules)
        let found = report.findings.filter { ["insecureLink", "mixedContent"].contains($0.code) }
        #expect(
            found.map { "\($0.code) \($0.target) \($0.places.count) \($0.isHard)" } == [
                "insecureLink http://a.test/ 2 false", "mixedContent http://a.test/i.png 1 true",
                "mixedContent http://a.test/s.css 1 true",
            ])
    }

    @Test func `a folder's pages are taken for secure, and a page with http is not`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<a href=http://a.test/>a</a> <a href=two.html>2</a>".utf8)
            .write(to: folder.appending(path: "index.html"))
        try Data("<p>2".utf8).write(to: folder.appending(path: "two.html"))
        var options = SiteCheckOptions()
        options.rules.aspects.insecureLinks = true
        let report = try await ContentFixture("insecure-folder")
            .checkFolder(folder.path(), options)
        #expect(report.lines == ["insecureLink http://a.test/ at index.html:1:9"])
        let bench = try await RuleBench("insecure-http")
        bench.web.answer("/", .page("<a href=http://a.test/>a</a>"))
        var rules = CheckRules()
        (rules.aspects.insecureLinks, rules.exclude) = (true, ["http://a.test/*"])
        #expect(try await bench.check(rules).findings.isEmpty)
    }
}
