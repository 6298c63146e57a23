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
