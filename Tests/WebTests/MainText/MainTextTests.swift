import Testing

@testable import Web

@Suite struct MainTextTests {
    private func main(_ html: String) -> MainText { MainText(HTMLTree(Array(html.utf8))) }

    private let long = """
        This is a paragraph, as there are many, that is long enough to count for something, and \
        it has commas, too.
        """

    @Test func `what stands around the text is left out`() {
        let found = main(
            """
            <body><header><p>\(long) Header</header><ul class=top-menu><li>\(long) Menu</ul>
            <div id=page><div class=story><h1>Title</h1><p>\(long)<img src=a.png>
            <p>Short.<ul><li><a href=x>One link</a><li><a href=y>Other</a></ul>
            <pre>
              code
                here
            </pre><table><tr><td>a<td>b<tr><td>c</table></div>
            <div class=sidebar><p>\(long) Side</div></div><div role=contentinfo>\(long)</div>
            """)
        #expect(
            found.text == "Title\n\n\(long)\n\nShort.\n\n  code\n    here\n\na b\n\nc",
            "\(found.text)")
        #expect(found.image == "a.png" && found.excerpt == long)
        #expect(found.wordCount == 1 + 21 + 1 + 2 + 3)
        #expect(found.position.line == 2)
    }

    @Test func `an article is believed`() {
        let found = main(
            "<div><p>\(long)</div><main><article><p>\(long) A<p>\(long) B</article></main>")
        #expect(found.text == "\(long) A\n\n\(long) B")
    }

    @Test func `sections that are alike all count`() {
        let sections = (1...3).map { "<div class=section><h2>\($0)</h2><p>\(long)</div>" }
        let found = main("<div>\(sections.joined())</div>")
        #expect(found.text.split(separator: "\n\n").count == 6)
    }

    @Test(arguments: [
        "<section class=comments><p>%</section>", "<div class='related-posts'><p>%</div>",
        "<div id=newsletterBox><p>%</div>", "<ul class='teaser-list'><li>% <a href=x>More</a></ul>",
        "<div hidden><p>%</div>", "<div style='color: red; Display : none'><p>%</div>",
        "<figure><figcaption>%</figcaption></figure>", "<p class=wp-caption-text>%</p>",
        "<noscript><p>%</noscript>", "<form><p>%</form>", "<footer><p>%</footer>",
        "<div role=banner><p>%</div>", "<div class=author-bio><p>%</div>",
    ])
    func `a box beside the text is left out`(box: String) {
        let text = (1...4).map { "<p>\(long) \($0)</p>" }.joined()
        let beside = "This is beside the text, and has commas, too, as a paragraph has."
        let found = main("<div>\(text)\(box.replacing("%", with: beside))</div>")
        #expect(found.text.hasSuffix("4") && !found.text.contains("beside"), "\(found.text)")
    }

    @Test(arguments: [
        "<form>%</form>", "<aside>%</aside>", "<footer>%</footer>", "<noscript>%</noscript>",
        "<div class=sidebar>%</div>", "<div class=comments>%</div>", "<div role=banner>%</div>",
        "<div style=display:none>%</div>", "<div class=share>%</div>", "<header>%</header>",
    ])
    func `a box that holds the whole page is what it is about`(box: String) {
        let text = (1...4).map { "<p>\(long) \($0)" }.joined()
        #expect(main(box.replacing("%", with: text)).text.hasSuffix("\(long) 4"))
    }

    @Test func `comments may be longer than what they are about`() {
        let comments = (1...9).map { "<div class=comment><p>\(long) by \($0)</div>" }.joined()
        let found = main(
            "<h1>T</h1><div class=x><p>\(long) A<p>\(long) B<p>\(long) C</div>"
                + "<div id=comments>\(comments)</div>")
        #expect(found.text == "T\n\n\(long) A\n\n\(long) B\n\n\(long) C")
    }

    @Test func `a page that is comments has them`() {
        let comments = (1...9).map { "<div class=comment><p>\(long) by \($0)</div>" }.joined()
        let found = main("<p>Short question?<div>\(comments)</div>")
        #expect(found.text.contains("by 1") && found.text.contains("by 9"), "\(found.text)")
    }

    @Test func `what opens the text is taken from between title and text`() {
        let found = main(
            """
            <div><div>Politics</div><div class=head><h1>Title</h1><div>1 May</div><p>\(long) Lead
            </div><div itemprop=articleBody><p>\(long) A<p>\(long) B<p>\(long) C</div>
            <div><p>\(long) Another</div></div>
            """)
        #expect(
            found.text == "Title\n\n\(long) Lead\n\n\(long) A\n\n\(long) B\n\n\(long) C")
    }

    @Test func `a table of contents is a text of links`() {
        let links = (1...20).map { "<li><a href=\($0)>Chapter number \($0)</a>" }.joined()
        let found = main("<h1>Contents</h1><p>Short.<ul>\(links)</ul>")
        #expect(found.text.contains("Chapter number 20") && found.text.contains("Short."))
    }

    @Test func `places where a line may break and how a character is read are no letters`() {
        let found = main("<p>Donau\u{AD}dampf\u{AD}schiff, \(long) é<p><ruby>漢<rp>(<rt>かん</ruby>")
        #expect(found.text == "Donaudampfschiff, \(long) é\n\n漢")
    }

    @Test func `time grows with the page, not with its square`() {
        let deep = String(repeating: "<div class=comment-box>", count: 200)
        let page = String(repeating: "\(deep)<h1>a</h1><p>\(long)", count: 200)
        let time = ContinuousClock().measure { _ = main(page) }
        #expect(time < .seconds(20))
    }

    @Test(arguments: ["", "<p>", "<nav>a</nav>", "<a href=x>y</a>"])
    func `hardly a text is no crash`(html: String) {
        _ = main(html)
    }

    @Test func `words are counted in any script`() {
        #expect(WordCount.count("It's a dog’s life — naïve, 42 times.") == 7)
        #expect(WordCount.count("日本語を書く") == 6)
        #expect(WordCount.count(" \n…") == 0)
    }

    @Test func `a long excerpt ends at a word`() {
        let found = main("<p>" + String(repeating: "word, ", count: 100))
        #expect(found.excerpt.hasSuffix("word,…") && found.excerpt.utf8.count < 310)
    }
}
