import Testing

@testable import Web

@Suite struct PageMetadataTests {
    private func metadata(_ html: String) -> PageMetadata {
        PageMetadata(
            HTMLTree(Array(html.utf8)), baseURL: WebURL("https://site.example/a/b.html")!)
    }

    private let page = """
        <!doctype html><html lang=de><head><title>Plain &amp; simple</title>
        <meta name=description content="from  HTML"><meta name=Author content="Ann Plain">
        <link rel="alternate canonical" href="/canon"><meta name=keywords content="a, b ,,a">
        <meta property=og:title content="From OpenGraph"><meta property="og:image" content="i.png">
        <meta property="article:published_time" content="2024-05-06T07:08:09+02:00">
        <meta name="twitter:description" content="from Twitter">
        """

    @Test func `the strongest source counts, field by field`() {
        let found = metadata(
            page + #"""
                <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
                  {"@type": "WebSite", "name": "The Site"},
                  {"@type": ["NewsArticle"], "headline": "From JSON-LD", "author": [{"@id": "#p"},
                   "Bob"], "datePublished": "nonsense", "image": {"url": "/j.png"}},
                  {"@type": "Person", "@id": "#p", "name": "Pat"}]}</script>
                """#)
        #expect(found.title?.value == "From JSON-LD" && found.title?.source == .jsonLD)
        #expect(found.authors?.value == ["Pat", "Bob"])
        #expect(found.siteName?.value == "The Site")
        #expect(found.type?.value == "NewsArticle")
        #expect(found.image?.value.href == "https://site.example/j.png")
        #expect(found.description?.value == "from Twitter")
        #expect(found.published?.source == .openGraph)
        #expect(found.published?.value.description == "Mon, 06 May 2024 05:08:09 GMT")
        #expect(found.canonical?.value.href == "https://site.example/canon")
        #expect(found.language?.value == "de" && found.language?.source == .html)
        #expect(found.keywords?.value == ["a", "b"])
        #expect(found.title?.position.line == 6)
    }

    @Test func `plain HTML is enough`() {
        let found = metadata(
            "<h1>A <b>heading</b></h1><time itemprop=datePublished datetime=2020-01-02>")
        #expect(found.title?.value == "A heading" && found.title?.source == .html)
        #expect(found.published?.value.secondsSince1970 == 1_577_923_200)
        #expect(found.authors == nil && found.canonical == nil)
    }

    @Test(arguments: [
        "<!-- {\"@type\":\"Article\",\"name\":\"T\"} -->",
        "//<![CDATA[\n{\"@type\":\"Article\",\"name\":\"T\"}\n//]]>",
        #"[{"@type":"Organization","name":"O"},{"@type":"http://schema.org/Recipe","name":"T"}]"#,
        #"{"@type":"WebPage","name":"W","mainEntity":{"@type":"Product","name":["T"]}}"#,
        "{\"@type\":\"Article\",\"name\":\"T\",\"description\":\"a\nb\",}",
    ])
    func `linked data as it is found`(script: String) {
        let found = metadata("<script type='application/ld+json; charset=utf-8'>\(script)</script>")
        #expect(found.title?.value == "T" && found.title?.source == .jsonLD)
    }

    @Test(arguments: [
        "{", "null", "[[[[", "{\"@graph\":[1,null,{}]}", "{\"@type\":\"Article\",\"name\":{}}",
        #"{"@id":"a","@type":"Article","author":{"@id":"a"},"image":{"@id":"a"}}"#,
    ])
    func `linked data that says nothing`(script: String) {
        let found = metadata("<title>H</title><script type=application/ld+json>\(script)</script>")
        #expect(found.title?.value == "H" && found.authors == nil && found.image == nil)
    }

    @Test(arguments: [
        ("2024-05-06T07:08:09Z", 1_714_979_289), ("2024-05-06 07:08", 1_714_979_280),
        ("2024-05-06T07:08:09.123+02:00", 1_714_972_089), ("20240506T070809Z", 1_714_979_289),
        ("2024-05-06", 1_714_953_600), ("2024-05", 1_714_521_600), ("2024", 1_704_067_200),
        ("Mon, 06 May 2024 07:08:09 GMT", 1_714_979_289),
        ("Mon, 6 May 24 07:08 +0200", 1_714_972_080), ("6 May 2024 07:08:09 EST", 1_714_997_289),
        ("May 6, 2024", 1_714_953_600), ("Mon May  6 07:08:09 2024", 1_714_979_289),
        ("Monday, 6 May 2024 07:08:09 PDT", 1_715_004_489), ("2024-02-30", nil), ("soon", nil),
        ("2024-05-06T25:00", nil), ("", nil), ("99999999999", nil),
    ])
    func `dates`(text: String, seconds: Int64?) {
        #expect(DateText.parse(text)?.secondsSince1970 == seconds)
    }
}
