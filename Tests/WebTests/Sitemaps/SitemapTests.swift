import Testing

@testable import Web

@Suite struct SitemapTests {
    private func sitemap(_ text: String, limits: SitemapLimits = SitemapLimits()) -> Sitemap {
        Sitemap(Array(text.utf8), limits: limits)
    }

    @Test func `pages, each once, with what extensions name left out`() {
        let found = sitemap(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            <url><loc> https://s.example/a?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod>
            <image:image><image:loc>https://s.example/i.png</image:loc></image:image></url>
            <url><loc><![CDATA[https://s.example/b]]></loc></url>
            <url><loc>https://s.example/b#part</loc></url>
            <url><loc>/relative</loc></url><url><loc>ftp://s.example/f</loc></url>
            <url><loc>https://u:p@s.example/</loc></url>
            <loc>https://s.example/outside</loc></urlset>
            """)
        #expect(found.format == .pages)
        #expect(found.urls.map(\.href) == ["https://s.example/a?x=1&y=2", "https://s.example/b"])
        #expect(found.unusable == 3 && !found.isTruncated)
        #expect(
            found.unusableEntries.map(\.raw) == [
                "/relative", "ftp://s.example/f", "https://u:p@s.example/",
            ])
        #expect(found.unusableEntries.map(\.position.line) == [7, 7, 8])
    }

    @Test func `an index, with a prefix of its own`() {
        let found = sitemap(
            """
            <sm:sitemapindex xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:sitemap>
            <sm:loc>https://s.example/1.xml</sm:loc></sm:sitemap></sm:sitemapindex>
            """)
        #expect(found.format == .index)
        #expect(found.urls.map(\.href) == ["https://s.example/1.xml"])
    }

    @Test(arguments: ["", "<html><url><loc>https://s.example/</loc></url>", "{}", "<urlse", "\0"])
    func `what is none has nothing in it`(_ text: String) {
        let found = sitemap(text)
        #expect(found.format == nil && found.urls.isEmpty)
    }

    @Test func `no more URLs than the limit, and it says so`() {
        let urls = (0..<60_000).map { "<url><loc>https://s.example/\($0)</loc></url>" }.joined()
        let found = sitemap("<urlset>\(urls)</urlset>")
        #expect(found.urls.count == 50_000 && found.isTruncated)
        var limits = SitemapLimits()
        limits.maxTokens = 100
        let cut = sitemap("<urlset>\(urls)</urlset>", limits: limits)
        #expect(cut.urls.count < 50 && cut.isTruncated)
    }

    @Test func `a URL that never ends is none`() {
        let long = String(repeating: "a", count: 3 << 20)
        let found = sitemap("<urlset><url><loc>https://s.example/\(long)</loc></url></urlset>")
        #expect(found.urls.isEmpty && found.unusable == 1)
    }

    /// Neither entities of entities nor elements in elements cost more than their own bytes.
    @Test func `bombs are as harmless as other text`() {
        let entities = (1..<40).map { number in
            "<!ENTITY l\(number) \"&l\(number - 1);&l\(number - 1);\">"
        }.joined()
        let deep = 200_000
        let start = ContinuousClock.now
        let found = sitemap(
            "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY l0 \"ha\">\(entities)]><urlset>"
                + "<url><loc>https://s.example/&l39;</loc></url>"
                + "<url><loc>https://s.example/ok</loc></url>"
                + String(repeating: "<url><x>", count: deep) + "</urlset>")
        #expect(found.urls.map(\.href).contains("https://s.example/ok"))
        #expect(found.urls.allSatisfy { $0.href.utf8.count < 100 })
        #expect(start.duration(to: .now) < .seconds(20))
    }
}
