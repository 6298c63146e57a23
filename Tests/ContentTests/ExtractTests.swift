import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing
import Web

@testable import Content

/// What is read out of documents, on its way through a real fetch and alone.
@Suite(.serialized) struct ExtractTests {
    @Test func `JSON-LD counts over OpenGraph, and that over HTML`() async throws {
        let bench = try await FetchBench("precedence")
        let head = """
            <meta property="og:title" content="og title"><meta property="og:site_name" content="og">
            <meta property="og:image" content="/og.png"><meta name="author" content="html author">
            <meta name="description" content="html description">
            <script type="application/ld+json">{"@type":"NewsArticle","headline":"ld title",
            "datePublished":"2026-11-20T10:00:00Z","author":{"name":"ld author"}}</script>
            """
        bench.web.answer("/", .page(page("html title", words: 120, head: head)))
        let item = try await bench.run(bench.fetch("/"))
        func whose(_ name: FieldName) -> String {
            let field = item.fields.first { $0.name == name }
            return "\(field?.value ?? "nil") \(field?.source.rawValue ?? "")"
        }
        #expect(whose(.title) == "ld title jsonLD")
        #expect(whose(.authors) == "ld author jsonLD")
        #expect(whose(.published) == "2026-11-20T10:00:00Z jsonLD")
        #expect(whose(.siteName) == "og openGraph")
        #expect(whose(.image) == "\(bench.web.url)/og.png openGraph")
        #expect(whose(.description) == "html description html")
        #expect(whose(.excerpt).hasSuffix(" text"))
        // Each sentence has ten words.
        #expect(item.words == 120)
        let last = try await bench.last(item)
        #expect(item.fields.allSatisfy { $0.fetch == last.id && $0.setBy == nil })
    }

    @Test func `a page in windows-1251 is read as what it says`() async throws {
        let bench = try await FetchBench("charset")
        // "Привет мир" in windows-1251.
        let hello: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20, 0xEC, 0xE8, 0xF0]
        let body =
            Array("<meta charset=windows-1251><title>".utf8) + hello + Array("</title><p>".utf8)
            + hello
        bench.web.answer("/", LocalWeb.Answer(body: body))
        let item = try await bench.run(bench.fetch("/"))
        #expect(item.charset == "windows-1251")
        #expect(item.title == "Привет мир" && item[.text] == "Привет мир" && item.words == 2)
    }

    @Test func `a feed's entries are what it refers to`() async throws {
        let bench = try await FetchBench("feed")
        let feed = """
            <?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
            <language>en</language><item><title>One</title><link>/1</link></item>
            <item><title>Two</title><link>https://b.test/2?x=1#top</link></item></channel></rss>
            """
        bench.web.answer(
            "/feed",
            LocalWeb.Answer(headers: ["Content-Type: application/rss+xml"], body: Array(feed.utf8)))
        let item = try await bench.run(bench.fetch("/feed"))
        #expect(item.title == "News" && item[.language] == "en" && item.references == 2)
        let entries = try await bench.pool.query(
            """
            SELECT r.kind, t.href, r.words FROM content.reference r
            JOIN content.target t ON t.id = r.target ORDER BY r.ordinal
            """
        ) { row in
            [try row.decode(0, as: String.self), try row.decode(1), try row.decode(2)]
        }
        #expect(
            entries == [
                ["entry", bench.web.url + "/1", "One"], ["entry", "https://b.test/2?x=1", "Two"],
            ])
    }

    private static let news = """
        The new release is out, and brings what many have been waiting for. Downloads are faster, \
        the editor remembers where it was, and the manual has two more chapters.
        """

    private func suspicion(_ html: String, at url: String = "https://a.test/x") throws -> Suspicion?
    {
        let url = try WebURL.parse(url)
        let document = FetchedDocument(
            url: url, headers: [:], mediaType: MediaType("text/html"), body: Array(html.utf8))
        return Extract(document, asked: try WebURL.parse("https://a.test/a/long/x")).suspicion
    }

    @Test(
        arguments: [
            ("<title>Just a moment...</title><p>Enable JavaScript", .challenge),
            ("<title>x</title><script>window._cf_chl_opt={}</script>", .challenge),
            ("<title>Page not found</title><p>Sorry", .softMissing),
            ("<title>Error 404 | Site</title><p>Sorry", .softMissing),
            ("<title>Before you continue</title><p>Cookies", .consentWall),
            ("<title>News</title><p>We use cookies. Accept all or reject all.", .consentWall),
            ("<title>Site: 404</title><h1>Oops</h1><p>We can't find this page.", .softMissing),
            ("<title>Ничего | Страница не найдена</title><p>Страница не найдена", .softMissing),
            ("<title>Lot 4041</title><p>For sale", nil),
            ("<title>Bug 404 fixed in release 2</title><p>\(Self.news)", nil),
            ("<title>Lost and not found: a short story</title><p>\(Self.news)", nil),
            ("<title>The key, not found</title><p>\(Self.news)", nil),
            ("<title>Cookies</title><p>A recipe with chocolate", nil),
        ] as [(String, Suspicion?)])
    func `pages that aren't the page are told by their looks`(
        html: String, expected: Suspicion?
    ) throws {
        #expect(try suspicion(html) == expected)
        // The same words in a long text are what the text is about.
        let text = String(repeating: "<p>More of the text, which is long enough.</p>", count: 60)
        #expect(try suspicion(html + text) == nil)
    }

    @Test func `a detour to the start of the site is a soft 404`() throws {
        let body = "<title>Home</title><p>Welcome"
        #expect(try suspicion(body, at: "https://a.test/") == .softMissing)
        #expect(try suspicion(body, at: "https://a.test/a/long/y") == nil)
    }

    @Test func `names that only look the same are two anchors`() throws {
        let html = "<p id=\u{E9}>one <p id=e\u{301}>two <p id=\u{E9}>three"
        let document = FetchedDocument(
            url: try WebURL.parse("https://a.test/"), headers: [:],
            mediaType: MediaType("text/html; charset=utf-8"), body: Array(html.utf8))
        let extract = Extract(document, asked: document.url)
        let names = extract.page.anchors.map { Array($0.name.utf8) }
        #expect(names == [[0xC3, 0xA9], [0x65, 0xCC, 0x81]])
    }

    @Test func `payload limits reach the document`() throws {
        let url = try WebURL.parse("https://a.test/")
        let links = String(repeating: "<p><a href=/x>x</a>", count: 20)
        let document = FetchedDocument(
            url: url, headers: [:], mediaType: MediaType("text/html"), body: Array(links.utf8))
        var limits = FetchLimits()
        limits.references = 5
        let cut = Extract(document, asked: url, limits: limits)
        #expect(cut.page.edges.count == 5 && !cut.page.isComplete)
        limits.references = 1_000_000
        #expect(limits.lowering(HTMLLimits()).maxReferences == 10_000)
        #expect(Extract(document, asked: url).page.isComplete)
    }
}
