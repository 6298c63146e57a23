import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing
import Web

@testable import Content

/// What links say is inside of their targets: fragments of foreign pages, passages of text.
@Suite struct PlaceTests {
    private static let foreign = RuleBench.rules { $0.aspects.foreignFragments = true }

    @Test func `fragments of foreign pages are looked for when it is asked for, in one request`()
        async throws
    {
        let bench = try await RuleBench("foreign-fragments")
        let page = "\(bench.other.url)/page"
        bench.web.answer(
            "/",
            .page(
                "<a href=\(page)#there>t</a> <a href=\(page)#none>n</a> "
                    + "<a href=\(page)#alias>a</a> <a href=\(bench.other.url)/bare#x>b</a>"
                    + "<a href=\(bench.other.url)/file#x>f</a>"))
        bench.other.answer("/page", .page("<p id=there>t <a id=user-content-alias>a</a>"))
        bench.other.answer("/bare", .page("<div>a script's</div>"))
        bench.other.answer("/file", .status(200))
        #expect(try await bench.check().findings.isEmpty)
        #expect(bench.other.requests("/page").map(\.method) == ["HEAD"])
        var options = RuleBench.options
        options.freshSeconds = 0
        let report = try await bench.check(Self.foreign, options)
        let lines = report.lines
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("missingFragment \(page)#none at \(bench.web.url)/:1:"))
        #expect(report.findings.map(\.isConfirmed) == [true] && report.isComplete)
        #expect(bench.other.requests("/page").map(\.method) == ["HEAD", "GET"])
        let links = try await BrokenLinks(pool: bench.fixture.pool).list()
        #expect(links.map(\.code) == ["missingFragment"] && links[0].fragment == "none")
    }

    @Test func `behind a redirect it is looked for where that ends`() async throws {
        let bench = try await RuleBench("foreign-moved")
        let old = "\(bench.other.url)/old"
        bench.web.answer("/", .page("<a href=\(old)#a>a</a> <a href=\(old)#b>b</a>"))
        bench.other.answer("/old", .redirect(302, "/new"))
        bench.other.answer("/new", .page("<p id=a>a"))
        let report = try await bench.check(Self.foreign)
        #expect(report.findings.map(\.fragment) == ["b"])
        #expect(report.findings.map(\.target) == [old])
    }

    @Test func `a page that comes later than its visit is looked into again`() async throws {
        let bench = try await RuleBench("foreign-later")
        let page = "\(bench.other.url)/page"
        bench.web.answer("/", .page("<a href=\(page)>p</a> <a href=/slow>s</a>"))
        bench.web.answer("/slow", .page("<a href=/slower>s</a>"))
        bench.web.answer("/slower", .page("<a href=\(page)#none>p</a>"))
        bench.other.answer("/page", .page("<p id=a>a"))
        let report = try await bench.check(Self.foreign)
        #expect(report.findings.map(\.fragment) == ["none"])
    }

    @Test func `what was found a moment ago isn't asked for again, what is mended is remembered`()
        async throws
    {
        let bench = try await RuleBench("foreign-fresh")
        let page = "\(bench.other.url)/page"
        bench.web.answer("/", .page("<a href=\(page)#a>a</a>"))
        bench.other.answer("/page", .page("<p id=b>b"))
        #expect(try await bench.check(Self.foreign).findings.count == 1)
        bench.other.answer("/page", .page("<p id=a>a"))
        #expect(try await bench.check(Self.foreign).findings.isEmpty)
        let states = try await bench.fixture.pool.query(
            "SELECT f.state || ' ' || (f.first_broken_at IS NULL) FROM content.target_fragment f"
        ) { try $0.decode(0, as: String.self) }
        #expect(states == ["ok true"])
        let events = try await bench.fixture.pool.query(
            "SELECT e.after FROM content.target_event e WHERE e.fragment = 'a' ORDER BY e.at"
        ) { try $0.decode(0, as: String.self) }
        #expect(events == ["missing fragment", "ok"])
        let before = bench.other.requests("/page").count
        #expect(try await bench.check(Self.foreign).findings.isEmpty)
        #expect(bench.other.requests("/page").count == before)
    }

    @Test func `a page that is too long, or a script's fragments, say nothing`() throws {
        func verdict(
            _ name: String, _ html: String, at url: String = "https://a.test/", isWhole: Bool = true
        ) throws -> PlaceVerdict {
            let document = FetchedDocument(
                url: try WebURL.parse(url), headers: [:], mediaType: MediaType("text/html"),
                body: Array(html.utf8))
            var judge = PlaceJudge(document, isWhole: isWhole)
            return judge.verdict(on: WantedPlace(id: UUID(), name: name, raw: nil))
        }
        #expect(try verdict("b", "<p id=a>", isWhole: true) == .missing)
        #expect(try verdict("b", "<p id=a>", isWhole: false) == .unclear)
        #expect(try verdict("a", "<p id=a>", isWhole: false) == .found)
        #expect(try verdict("a", "<p>") == .unclear)
        #expect(try verdict("Foo-Bar", "<p id=user-content-foo-bar>") == .found)
        let blob = "https://github.com/a/b/blob/main/c.swift"
        for name in ["L10", "L10-L20", "L1C2-L3C4", "issuecomment-12", "diff-0a", "readme"] {
            #expect(try verdict(name, "<p id=a>", at: blob) == .unclear, "\(name)")
        }
        #expect(try verdict("Lines", "<p id=a>", at: blob) == .missing)
        #expect(try verdict("L10", "<p id=a>") == .missing)
        #expect(try verdict(":~:text=b", "<p>a", isWhole: false) == .unclear)
        #expect(try verdict(":~:text=a,b,c", "<p>a b c") == .missing)
    }

    @Test func `passages of text are looked for in the site's pages, and are no anchors`()
        async throws
    {
        let bench = try await RuleBench("texts")
        let other = "\(bench.other.url)/page"
        bench.web.answer(
            "/",
            .page(
                """
                <a href=/two#:~:text=is%20there>1</a> <a href=/two#:~:text=is%20not>2</a>
                <a href=/two#id:~:text=there,-now>3</a> \
                <a href="/two#no:~:text=there&text=gone">4</a>
                <a href="#:~:text=is%20not">5</a> <a href=\(other)#:~:text=none>6</a>
                <a href=/moved#:~:text=is%20not>7</a>
                """))
        bench.web.answer("/two", .page("<p id=id>It <b>is</b> there now.</p>"))
        bench.web.answer("/moved", .redirect(302, "/two"))
        bench.other.answer("/page", .page("<p>text"))
        let report = try await bench.check()
        let site = bench.web.url
        #expect(
            report.findings.map { "\($0.code) \($0.target)#\($0.fragment ?? "")" } == [
                "missingText \(site)/#:~:text=is%20not",
                "missingText \(site)/moved#:~:text=is%20not",
                "missingFragment \(site)/two#no",
                "missingText \(site)/two#:~:text=is%20not",
                "missingText \(site)/two#:~:text=there&text=gone",
            ])
        #expect(bench.other.requests("/page").map(\.method) == ["HEAD"])
        let without = RuleBench.rules { $0.aspects.text = false }
        #expect(try await bench.check(without).findings.map(\.code) == ["missingFragment"])
        let rows = try await bench.fixture.pool.query(
            "SELECT count(*) FROM content.target_fragment f WHERE f.fragment LIKE ':~:%'"
        ) { try $0.decode(0, as: Int64.self) }
        // The two that are there, and the four that aren't: nobody looked, nothing is forgotten.
        #expect(rows == [6])
        let both = RuleBench.rules { $0.aspects.foreignFragments = true }
        var options = RuleBench.options
        options.freshSeconds = 0
        let foreign = try await bench.check(both, options)
        #expect(foreign.findings.contains { $0.target == other && $0.code == "missingText" })
    }
}
