import Testing

@testable import Web

@Suite struct HTMLReferencesTests {
    private let page = WebURL("http://h.example/d/p.html")!

    private func scan(_ html: String, limits: HTMLLimits = HTMLLimits()) -> HTMLReferences {
        HTMLReferences.scan(Array(html.utf8), documentURL: page, limits: limits)
    }

    @Test(arguments: [
        ("windows-1252", "http://h.example/?q=%E9"),
        ("shift_jis", "http://h.example/?q=%26%23233%3B"),
        ("utf-16le", "http://h.example/?q=%C3%A9"), ("utf-8", "http://h.example/?q=%C3%A9"),
    ])
    func `a query is written in the document's encoding`(label: String, href: String) throws {
        let charset = try #require(Charset(label: label))
        let html = "<a href='/?q=\u{E9}'>x</a><style>p { background: url(/?q=\u{E9}) }</style>"
        let found = HTMLReferences.scan(
            Array(html.utf8), documentURL: page, charset: charset
        ).references.map { $0.url?.href }
        #expect(found == [href, "http://h.example/?q=%C3%A9"])
        let plain = HTMLReferences.scan(
            Array("<a href='ws://h/?q=\u{E9}'>".utf8), documentURL: page, charset: charset)
        #expect(plain.references.first?.url?.query == "q=%C3%A9")
        let kana = HTMLReferences.scan(
            Array("<a href='/?\u{30C6}'>".utf8), documentURL: page, charset: .shiftJIS)
        #expect(kana.references.first?.url?.query == "%83e")
    }

    private func found(_ html: String) -> [String] {
        scan(html).references.map { "\($0.kind) \($0.url?.href ?? "?")" }
    }

    @Test(arguments: [
        ("<a href=x#y>", "anchor http://h.example/d/x#y"),
        ("<a href=''>", "anchor http://h.example/d/p.html"),
        ("<a href=' x '>", "anchor http://h.example/d/x"),
        ("<a href=mailto:a@b>", "anchor mailto:a@b"),
        ("<a href='javascript:void(0)'>", "anchor javascript:void(0)"),
        ("<a href='http://['>", "anchor ?"),
        ("<area href=x>", "area http://h.example/d/x"),
        ("<script src=x></script>", "script http://h.example/d/x"),
        ("<script type=module src=x></script>", "script http://h.example/d/x"),
        ("<img src=x>", "image http://h.example/d/x"),
        ("<image src=x>", "image http://h.example/d/x"),
        ("<input type=IMAGE src=x>", "image http://h.example/d/x"),
        ("<body background=x>", "image http://h.example/d/x"),
        ("<iframe src=x></iframe>", "iframe http://h.example/d/x"),
        ("<frame src=x>", "iframe http://h.example/d/x"),
        ("<form action=x>", "form http://h.example/d/x"),
        ("<input formaction=x>", "form http://h.example/d/x"),
        ("<video src=x>", "video http://h.example/d/x"),
        ("<video poster=x>", "image http://h.example/d/x"),
        ("<audio src=x>", "audio http://h.example/d/x"),
        ("<source src=x>", "source http://h.example/d/x"),
        ("<track src=x>", "track http://h.example/d/x"),
        ("<object data=x>", "object http://h.example/d/x"),
        ("<embed src=x>", "embed http://h.example/d/x"),
        ("<link rel='x StyleSheet' href=x>", "stylesheet http://h.example/d/x"),
        ("<link rel=canonical href=x>", "canonical http://h.example/d/x"),
        ("<link rel='shortcut icon' href=x>", "icon http://h.example/d/x"),
        ("<link rel=alternate hreflang=de href=x>", "alternate http://h.example/d/x"),
        ("<link href=x rel=alternate type='application/rss+xml'>", "feed http://h.example/d/x"),
        ("<link rel=next href=x>", "link http://h.example/d/x"),
        ("<link rel=preload href=x>", "preload http://h.example/d/x"),
        ("<link rel=manifest href=x>", "manifest http://h.example/d/x"),
        ("<link rel=preload imagesrcset='x 2x'>", "srcset http://h.example/d/x"),
        ("<meta http-equiv=Refresh content='1; URL = \"x\"z'>", "metaRefresh http://h.example/d/x"),
        ("<noscript><img src=x></noscript>", "image http://h.example/d/x"),
        ("<svg><image xlink:href=x />", "image http://h.example/d/x"),
        ("<svg><a href=x>", "anchor http://h.example/d/x"),
        ("<style>a{b:url(x)}</style>", "cssURL http://h.example/d/x"),
        ("<style>@import 'x';</style>", "cssImport http://h.example/d/x"),
        ("<p style='a:url(&quot;x&quot;)'>", "cssURL http://h.example/d/x"),
        ("<template shadowrootmode=open><img src=x></template>", "image http://h.example/d/x"),
    ])
    func `what counts as a reference`(html: String, expected: String) {
        #expect(found(html) == [expected])
    }

    @Test(arguments: [
        "<!--<a href=x>-->", "<template><a href=x></template>", "<script>'<a href=x>'</script>",
        "<textarea><a href=x></textarea>", "<img src=''>", "<link href=x>",
        "<link rel=preconnect href=x>", "<script type='text/plain' src=x></script>",
        "<iframe srcdoc='' src=x></iframe>", "<style type='text/less'>a{b:url(x)}</style>",
        "<meta http-equiv=refresh content='5'>", "<a name=x>", "<p style='a:url(#x)'>",
        "<template><template></template><a href=x></template>",
    ])
    func `what does not`(html: String) {
        #expect(found(html).isEmpty)
    }

    @Test func `the first base with an href counts, also for links before it`() {
        let html = """
            <link rel=stylesheet href=early><a href=x><base target=y><base href=/b/>\
            <base href=/c/><img src=x>
            """
        #expect(
            found(html) == [
                "stylesheet http://h.example/d/early", "anchor http://h.example/b/x",
                "image http://h.example/b/x",
            ])
        #expect(scan(html).base?.href == "http://h.example/b/")
        #expect(scan("<base href='data:x'><base href=/c/>").base == nil)
    }

    @Test func `a reference knows its place and its text`() {
        let html = "<p>\n <a\n  href=x>  Some &amp;\n <b>text</b> </a> <a href=y><img alt=Logo></a>"
        let references = scan(html).references
        #expect(references.map(\.text) == ["Some & text", "Logo"])
        #expect(references.map { "\($0.position.line):\($0.position.column)" } == ["3:8", "4:27"])
        #expect(references[0].element == "a" && references[0].attribute == "href")
        #expect(references[0].raw == "x" && references[0].strength == .soft)
    }

    @Test func `a link without end lends its text to no other`() {
        let references = scan("<a href=x>one<a href=y>two").references
        #expect(references.map(\.text) == ["one", "two"])
    }

    @Test func `candidates of a srcset have places of their own`() {
        let html = "<img srcset=\"a 1x,\n b.png 2x\">"
        let references = scan(html).references
        #expect(references.map(\.raw) == ["a", "b.png"])
        #expect(references.map { "\($0.position.line):\($0.position.column)" } == ["1:14", "2:2"])
    }

    @Test func `anchors are ids and the names of links`() {
        let html =
            "<p id=a><a name=b id=c><a name=d id=d><p id=''><svg id='e&amp;f'></svg>"
            + "<template id=g><p id=h></template>"
        #expect(scan(html).anchors.map(\.name) == ["a", "b", "c", "d", "e&f"])
    }

    @Test func `title, canonical and robots`() {
        let html =
            "<svg><title>no</title></svg><title>\n A &lt;\n b </title><title>c</title>"
            + "<link rel=canonical href=/c><meta name=ROBOTS content=noindex>"
        let result = scan(html)
        #expect(result.title == "A < b")
        #expect(result.canonical?.href == "http://h.example/c")
        #expect(result.robots == "noindex")
    }

    @Test func `limits are kept, and told`() {
        var limits = HTMLLimits()
        limits.maxReferences = 1
        limits.maxAnchors = 1
        let result = scan("<a href=x id=a>t</a><a href=y id=b>u</a>", limits: limits)
        #expect(result.references.map(\.text) == ["t"])
        #expect(result.anchors.count == 1)
        #expect(result.excess == [.references, .anchors])
    }
}
