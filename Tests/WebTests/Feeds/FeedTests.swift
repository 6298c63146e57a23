import Testing

@testable import Web

@Suite struct FeedTests {
    private func feed(_ text: String, limits: FeedLimits = FeedLimits()) -> Feed {
        let url = WebURL("https://site.example/feeds/all.xml")!
        return Feed(Array(text.utf8), documentURL: url, limits: limits)
    }

    @Test func `RSS 2`() throws {
        let found = feed(
            """
            <?xml version="1.0"?><rss version="2.0"><channel><title>A &amp;amp; B</title>
            <link>/</link><description>d</description>
            <image><title>no</title><link>/no</link></image><atom:link rel="self" href="all.xml"/>
            <lastBuildDate>Mon, 06 May 2024 07:08:09 GMT</lastBuildDate>
            <item><title><![CDATA[One <b>bold</b>]]></title><link>../1</link>
            <guid isPermaLink="false">x-1</guid><author>a@b.example (Ann)</author>
            <pubDate>Mon, 06 May 2024 09:08:09 +0200</pubDate><category>c1</category>
            <category domain="x">c2</category><description>&lt;p&gt;s&lt;/p&gt;</description>
            <content:encoded><![CDATA[<p>all</p>]]></content:encoded>
            <enclosure url="/a.mp3" type="audio/mpeg" length="12"/></item>
            <item><guid>https://site.example/2</guid><title>Two</title></item>
            </channel></rss>
            """)
        #expect(found.format == .rss && found.title == "A & B")
        #expect(found.link?.href == "https://site.example/")
        #expect(found.selfLink?.href == "https://site.example/feeds/all.xml")
        #expect(found.updated?.secondsSince1970 == 1_714_979_289)
        let first = try #require(found.items.first)
        #expect(first.title == "One bold" && first.id == "x-1" && first.authors == ["Ann"])
        #expect(first.link?.href == "https://site.example/1")
        #expect(first.published == found.updated && first.categories == ["c1", "c2"])
        #expect(first.summary == "<p>s</p>" && first.content == "<p>all</p>")
        #expect(first.enclosures.first?.url.href == "https://site.example/a.mp3")
        #expect(first.enclosures.first?.length == 12 && first.position.line == 5)
        #expect(found.items.count == 2 && found.items[1].link?.href == "https://site.example/2")
    }

    @Test func `Atom, with bases`() throws {
        let found = feed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://o.example/b/" xml:lang="de">
            <title type="html">&lt;i&gt;T&lt;/i&gt;</title>
            <link rel="self" href="f"/><link href="."/>
            <author><name>No</name></author><updated>2024-05-06T07:08:09Z</updated>
            <entry xml:base="e/"><id>tag:1</id><title>E</title><link href="1"/>
            <link rel="enclosure" href="m.mp3"/><author><name>Pat</name><uri>u</uri></author>
            <category term="t"/><published>2024-05-06T07:08:09+02:00</published>
            <content type="xhtml"><div>a <b>b</b> &amp; c</div></content>
            <source><title>no</title><id>no</id></source></entry></feed>
            """)
        #expect(found.format == .atom && found.title == "T" && found.language == "de")
        #expect(found.link?.href == "http://o.example/b/")
        #expect(found.selfLink?.href == "http://o.example/b/f")
        let entry = try #require(found.items.first)
        #expect(entry.id == "tag:1" && entry.title == "E" && entry.authors == ["Pat"])
        #expect(entry.link?.href == "http://o.example/b/e/1" && entry.categories == ["t"])
        #expect(entry.content == "<div>a <b>b</b> & c</div>")
        #expect(entry.base.href == "http://o.example/b/e/")
        #expect(entry.enclosures.map(\.url.href) == ["http://o.example/b/e/m.mp3"])
        #expect(entry.published?.secondsSince1970 == 1_714_972_089)
    }

    @Test func `RSS 1`() {
        let found = feed(
            """
            <rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>T</title>
            <link>http://h.example/</link></channel><item rdf:about="http://h.example/1">
            <title>I</title><link>http://h.example/1</link><dc:creator>C</dc:creator>
            <dc:date>2024-05-06</dc:date></item></rdf:RDF>
            """)
        #expect(found.format == .rss1 && found.title == "T" && found.items.count == 1)
        #expect(found.items.first?.id == "http://h.example/1")
        #expect(found.items.first?.authors == ["C"])
        #expect(found.items.first?.published?.secondsSince1970 == 1_714_953_600)
    }

    @Test(arguments: [
        "<rss><channel><item><title>a</item><item><title>b",
        "<rss><item><title>a</title><item><title>b",
        "<RSS><Item><Title>a</Title></Item><Item><Title>b</Title></Item>",
        "<feed><entry><title>a</title></entry><entry><title>b</title></entry></feed></feed>",
    ])
    func `feeds that are not in order`(text: String) {
        #expect(feed(text).items.map(\.title) == ["a", "b"])
    }

    @Test func `what is no feed has nothing`() {
        for text in ["", "<html><title>a</title><item>", "{}", "<entry><title>x"] {
            let found = feed(text)
            #expect(found.format == nil && found.items.isEmpty && found.title == nil)
        }
    }

    @Test func `limits`() {
        var limits = FeedLimits()
        limits.maxItems = 2
        limits.maxTextBytes = 10
        let items = String(repeating: "<item><title>0123456789abc</title></item>", count: 3)
        let found = feed("<rss><channel>\(items)", limits: limits)
        #expect(found.items.count == 2 && found.isTruncated)
        #expect(found.items.first?.title == "0123456789")
        let deep = feed("<rss>" + String(repeating: "<a>", count: 100_000) + "<item>")
        #expect(deep.isTruncated && deep.items.isEmpty)
    }

    @Test(arguments: [
        ("<?xml version='1.0' encoding='ISO-8859-1'?><a>\u{E4}", "windows-1252"),
        ("<?xml version=\"1.0\" encoding = \"koi8-r\" ?>", "koi8-r"),
        ("<?xml encoding=\"utf-16\"?>", "utf-8"), ("<?xml version='1.0'?>", "utf-8"),
    ])
    func `an XML declaration names the encoding`(text: String, name: String) {
        let body = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        #expect(DecodedText(body, isHTML: false).charset.name == name)
    }
}
