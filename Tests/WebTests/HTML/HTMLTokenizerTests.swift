import Testing

@testable import Web

@Suite struct HTMLTokenizerTests {
    private func tokens(_ html: String, limits: HTMLLimits = HTMLLimits()) -> [HTMLToken] {
        HTMLTokenizer.scan(Array(html.utf8), limits: limits) { tokenizer in
            var tokens: [HTMLToken] = []
            while let kind = tokenizer.next() { tokens.append(tokenizer.token(kind)) }
            return tokens
        }
    }

    private func start(_ name: String, _ attributes: [(String, String)] = []) -> HTMLToken {
        .startTag(
            name: name, attributes: attributes.map { .init(name: $0.0, value: $0.1) },
            isSelfClosing: false)
    }

    @Test func `places are counted in lines and characters`() {
        let html = "<p>\n<a\r\n  href='x'>é<b id=\"y\">\r<i>"
        let places = HTMLTokenizer.scan(Array(html.utf8)) { tokenizer in
            var places: [String] = []
            while let kind = tokenizer.next() {
                guard kind == .startTag else { continue }
                let tag = tokenizer.tokenPosition()
                places.append("\(tokenizer.tagName) \(tag.line):\(tag.column) \(tag.offset)")
                for attribute in tokenizer.attributes {
                    let value = tokenizer.position(at: attribute.valueRange.lowerBound)
                    places.append("\(value.line):\(value.column)")
                }
            }
            return places
        }
        #expect(places == ["p 1:1 0", "a 2:1 4", "3:9", "b 3:13 21", "3:20", "i 4:1 32"])
    }

    @Test(arguments: [
        ("<title>a<b>&amp;</title>", "a<b>&"),
        ("<textarea><!--&lt;</textarea>", "<!--<"),
        ("<style>a<b>&amp;</style>", "a<b>&amp;"),
        ("<script>'</scrip>'&amp;</script>", "'</scrip>'&amp;"),
        ("<script><!--<script></script>--></script>", "<!--<script></script>-->"),
        ("<script><!-->x</script>", "<!-->x"),
        ("<iframe><a></iframe>", "<a>"),
        ("<noembed><a></noembed>", "<a>"),
        ("<xmp><a></XMP >", "<a>"),
    ])
    func `some elements hold text only`(html: String, text: String) {
        let tokens = tokens(html)
        #expect(tokens.count == 3)
        #expect(tokens.dropFirst().first == .text(text))
    }

    @Test func `plaintext never ends`() {
        #expect(tokens("<plaintext></plaintext>").last == .text("</plaintext>"))
    }

    @Test func `in SVG a title holds markup, until HTML breaks out`() {
        #expect(tokens("<svg><title><b></title></svg>").count == 5)
        #expect(tokens("<svg><style><a></style></svg>").count == 5)
        #expect(tokens("<svg><p><title><b></title>").last == .endTag(name: "title"))
        #expect(tokens("<svg><p><title><b></title>")[3] == .text("<b>"))
        #expect(tokens("<svg/><title><b></title>")[2] == .text("<b>"))
    }

    @Test func `CDATA exists in foreign content only`() {
        #expect(tokens("<svg><![CDATA[a<b]]></svg>")[1] == .text("a<b"))
        #expect(tokens("<p><![CDATA[a]]>")[1] == .comment("[CDATA[a]]"))
        #expect(tokens("<svg><desc><![CDATA[a]]>")[2] == .comment("[CDATA[a]]"))
    }

    @Test func `the first of two attributes with one name counts`() {
        let long = String(repeating: "n", count: 20)
        #expect(
            tokens("<a b=1 B=2 \(long)x=1 \(long)y=2 \(long)X=3>") == [
                start("a", [("b", "1"), (long + "x", "1"), (long + "y", "2")])
            ])
    }

    @Test func `NUL and carriage returns`() {
        #expect(tokens("a\0b\r\nc\rd") == [.text("a\0b\nc\nd")])
        #expect(
            tokens("<a\0 b\0=\0&#0;>") == [
                start("a\u{FFFD}", [("b\u{FFFD}", "\u{FFFD}\u{FFFD}")])
            ])
        #expect(tokens("<title>\0</title>")[1] == .text("\u{FFFD}"))
    }

    @Test func `references are decoded at their longest`() {
        #expect(
            tokens("&notin;&notit;&not&amp&lt=&#x41;&#128;&fjlig;") == [
                .text("∉¬it;¬&<=A€fj")
            ])
        #expect(tokens("<a b='&not=&notx&not;&lt'>") == [start("a", [("b", "&not=&notx¬<")])])
    }

    @Test func `an unfinished tag leaves nothing`() {
        #expect(tokens("a<b c='d") == [.text("a")])
        #expect(tokens("<title>x</title") == [start("title"), .text("x</title")])
        #expect(tokens("<title>x</title a") == [start("title"), .text("x")])
    }

    @Test func `limits are kept, and told`() {
        var limits = HTMLLimits()
        limits.maxTokens = 2
        limits.maxAttributes = 1
        limits.maxAttributeBytes = 3
        HTMLTokenizer.scan(Array("<a b=1 c=2><d e=1234><f>".utf8), limits: limits) { tokenizer in
            #expect(tokenizer.next() == .startTag)
            #expect(tokenizer.attributes.count == 1)
            #expect(tokenizer.excess == .attributes)
            #expect(tokenizer.next() == .startTag)
            #expect(tokenizer.attributes.isEmpty)
            #expect(tokenizer.next() == nil)
            #expect(tokenizer.excess == [.attributes, .attributeBytes, .tokens])
        }
    }

    @Test func `depth is counted where it is followed`() {
        let html = String(repeating: "<svg><desc>", count: 1000)
        HTMLTokenizer.scan(Array(html.utf8)) { tokenizer in
            while tokenizer.next() != nil {}
            #expect(tokenizer.excess == .depth)
        }
    }
}
