import Content
import Foundation
import Tenure
import TestSupport
import Testing

/// New pages of a watched site: named by its sitemaps and feeds, fetched as they appear.
@Suite struct DiscoveryTests {
    private static func xml(_ body: String, _ more: String...) -> LocalWeb.Answer {
        LocalWeb.Answer(headers: ["Content-Type: application/xml"] + more, body: Array(body.utf8))
    }

    private static func urls(_ urls: [String]) -> LocalWeb.Answer {
        xml("<urlset>\(urls.map { "<url><loc>\($0)</loc></url>" }.joined())</urlset>")
    }

    /// An hour later: asks for all that there is, and fetches it.
    private func look(_ bench: RefetchBench) async throws {
        try await bench.clock.advance(by: .seconds(3601))
        try await bench.round()
        try await bench.settle()
        try await bench.refetch()
    }

    @Test func `what a sitemap names is fetched once, and what is new in it as it appears`()
        async throws
    {
        let bench = try await RefetchBench("sitemap")
        let root = bench.web.url
        let list = Self.urls([
            "\(root)/docs/two", "\(root)/outside", "https://elsewhere.test/docs/x",
        ])
        bench.web.answer("/map.xml", list)
        bench.web.answer(
            "/robots.txt",
            LocalWeb.Answer(
                headers: ["Content-Type: text/plain"],
                body: Array(
                    "Sitemap: \(root)/map.xml\nSitemap: https://elsewhere.test/m.xml\n".utf8)))
        try await bench.watch(discovers: true)
        try await look(bench)
        #expect(bench.requests("/docs/two") == 1 && bench.requests("/outside") == 0)
        let first = try await bench.progress
        #expect(first.sitemaps == 1 && first.urls == 3 && first.added == 1)
        #expect(first.problem == nil)
        bench.web.answer("/map.xml", Self.urls(["\(root)/docs/two", "\(root)/docs/three"]))
        try await look(bench)
        #expect(bench.requests("/docs/three") == 1)
        #expect(try await bench.progress.added == 2)
        let item = try await Items(pool: bench.pool).item(url: "\(root)/docs/three")
        #expect(item?.outcome == .stored && item?.hasBody == true)
    }

    @Test func `an index leads to packed sitemaps, each asked for by its validator`() async throws {
        let bench = try await RefetchBench("index")
        let root = bench.web.url
        bench.web.answer(
            "/sitemap.xml",
            Self.xml(
                "<sitemapindex><sitemap><loc>\(root)/1.xml.gz</loc></sitemap><sitemap>"
                    + "<loc>https://elsewhere.test/2.xml</loc></sitemap></sitemapindex>"))
        let packed = try Self.gzip("<urlset><url><loc>\(root)/docs/two</loc></url></urlset>")
        bench.web.answer("/1.xml.gz") { request in
            if request["If-None-Match"] == "\"m\"" { return .status(304) }
            return LocalWeb.Answer(
                headers: ["Content-Type: application/gzip", "ETag: \"m\""], body: packed)
        }
        try await bench.watch(discovers: true)
        try await look(bench)
        #expect(bench.requests("/docs/two") == 1)
        try await look(bench)
        let asked = bench.web.requests("/1.xml.gz")
        #expect(asked.count == 2 && asked.last?["If-None-Match"] == "\"m\"")
        #expect(bench.requests("/docs/two") == 1)
        #expect(try await bench.progress.urls == 1)
    }

    @Test func `a feed's entries are fetched, of ten thousand the first thousand`() async throws {
        let bench = try await RefetchBench("feed")
        bench.web.answer(
            "/docs/",
            .page("<link rel=alternate type=application/rss+xml href=/feed.xml><a href=two>two"))
        func feed(_ count: Int) -> LocalWeb.Answer {
            let items = (0..<count).map { "<item><link>\(bench.site.url)p\($0)</link></item>" }
            return Self.xml("<rss><channel><title>t</title>\(items.joined())</channel></rss>")
        }
        for number in 0..<3 { bench.web.answer("/docs/p\(number)", .page("<p>\(number)")) }
        bench.web.answer("/feed.xml", feed(2))
        try await bench.watch(discovers: true)
        try await bench.site.check()
        try await look(bench)
        #expect((0..<3).map { bench.requests("/docs/p\($0)") } == [1, 1, 0])
        bench.web.answer("/feed.xml", feed(10_000))
        try await bench.clock.advance(by: .seconds(3601))
        try await bench.round()
        try await bench.settle()
        let found = try await bench.count("content.item WHERE code = 'found'")
        #expect(found == 998)
        let problem = try #require(try await bench.progress.problem)
        #expect(problem.contains("more entries than are read"))
    }

    /// Each of them ends in one line that says what is wrong, and keeps no other.
    @Test func `whatever a sitemap brings, its site goes on`() async throws {
        let bench = try await RefetchBench("hostile")
        let root = bench.web.url
        let bomb = try Self.gzip(String(repeating: " ", count: 52 << 20))
        bench.web.answer("/bomb.gz", LocalWeb.Answer(headers: [], body: bomb))
        bench.web.answer("/html", .page("<p>nothing here"))
        bench.web.answer("/cut.gz", LocalWeb.Answer(headers: [], body: Array(bomb.prefix(50))))
        for depth in 0..<100 {
            bench.web.answer(
                "/deep\(depth)",
                Self.xml(
                    "<sitemapindex><sitemap><loc>\(root)/deep\(depth + 1)</loc></sitemap>"
                        + "</sitemapindex>"))
        }
        bench.web.answer(
            "/loop", Self.xml("<sitemapindex><sitemap><loc>\(root)/loop</loc></sitemap>"))
        bench.web.answer("/good", Self.urls(["\(root)/docs/two"]))
        let names = ["bomb.gz", "cut.gz", "html", "missing", "deep0", "loop", "good"]
        let lines = names.map { "Sitemap: \(root)/\($0)\n" }.joined()
        bench.web.answer(
            "/robots.txt",
            LocalWeb.Answer(headers: ["Content-Type: text/plain"], body: Array(lines.utf8)))
        try await bench.watch(discovers: true)
        try await look(bench)
        #expect(bench.requests("/docs/two") == 1)
        let problems = try await bench.pool.query(
            "SELECT m.url, m.problem FROM content.sitemap m WHERE m.problem IS NOT NULL"
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: String.self)) }
        let byName = Dictionary(
            problems.map { (String($0.0.dropFirst(root.count + 1)), $0.1) }
        ) { $1 }
        #expect(byName["bomb.gz"] == "the gzip file has more than 52428800 bytes unpacked")
        #expect(byName["cut.gz"] == "the gzip file is cut off")
        #expect(byName["html"] == "neither a sitemap nor a feed")
        #expect(byName["missing"] == "HTTP status 404")
        #expect(byName["deep3"] == "indexes of sitemaps lie more than 3 deep; not followed")
        #expect(bench.requests("/deep4") == 0 && bench.requests("/loop") < 5)
    }

    @Test func `without being asked to, no site's sitemaps are read`() async throws {
        let bench = try await RefetchBench("unasked")
        try await bench.watch()
        try await look(bench)
        #expect(bench.web.requests.isEmpty)
    }

    private static func gzip(_ text: String) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try Data(text.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-9n", file.path()]
        try process.run()
        try #require(process.waitForEnd() == 0)
        let packed = URL(filePath: file.path() + ".gz")
        let bytes = Array(try Data(contentsOf: packed))
        try FileManager.default.removeItem(at: packed)
        return bytes
    }
}
