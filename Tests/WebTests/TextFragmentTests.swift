import Testing
import Web

/// Passages of text that a link points at, as browsers look for them.
@Suite struct TextFragmentTests {
    private func has(_ fragment: String, _ html: String) -> Bool? {
        TextDirective.all(in: fragment).map { wanted in
            let text = VisibleText(html: Array(html.utf8))
            return wanted.allSatisfy(text.has)
        }
    }

    @Test func `what a fragment asks for is read in all its forms`() throws {
        let all = try #require(
            TextDirective.all(in: "id:~:text=a-,b%2C%20c,d,-e&other=x&text=f%2Dg"))
        #expect(all.map(\.prefix) == ["a", nil] && all.map(\.start) == ["b, c", "f-g"])
        #expect(all.map(\.end) == ["d", nil] && all.map(\.suffix) == ["e", nil])
        #expect(TextDirective.all(in: "plain") == [])
        #expect(TextDirective.all(in: ":~:selector=x") == [])
        for bad in ["text=", "text=a,b,c", "text=a-", "text=-a", "text=a-,", "text=a,,b"] {
            #expect(TextDirective.all(in: ":~:" + bad) == nil, "\(bad)")
        }
    }

    private static let page = """
        <title>Hidden title</title><h1>The Caf\u{E9} opens</h1>
        <p>One small   step for <b>a man</b>,<br>one giant leap.</p>
        <ul><li>first item<li>second item</ul><p hidden>secret words</p>
        <div style="display: none">covert words</div><script>var nothing;</script>
        <p>\u{65E5}\u{672C}\u{8A9E}\u{6587}</p><details><p>folded away</p></details>
        <table><tr><td>left<td>right</table>soft&shy;hyphen
        """

    @Test(arguments: [
        ("text=small%20step", true), ("text=SMALL%20STEP%20FOR%20A%20MAN", true),
        ("text=cafe%20opens", true), ("text=caf%C3%A9", true), ("text=Cafe%CC%81", true),
        ("text=mall%20step", false), ("text=small%20ste", false), ("text=leap.", true),
        ("text=first%20item%20second", false), ("text=first,second%20item", true),
        ("text=second,first", false), ("text=small-,step", true), ("text=giant-,step", false),
        ("text=item-,second", true), ("text=second,-item", true), ("text=first,-second", false),
        ("text=small-,step,giant,-leap", true), ("text=small-,step,giant,-item", false),
        ("text=secret%20words", false), ("text=covert", false), ("text=Hidden%20title", false),
        ("text=nothing", false), ("text=%E6%9C%AC%E8%AA%9E", true), ("text=folded%20away", true),
        ("text=left%20right", false), ("text=left,right", true), ("text=softhyphen", true),
        ("text=man&text=leap", true), ("text=man&text=mars", false), ("text=%20small%20", true),
        ("text=m%C3%A0n", true),
    ])
    func `a passage is there for who reads the page`(fragment: String, isThere: Bool) {
        #expect(has(":~:" + fragment, Self.page) == isThere)
    }

    @Test func `a page and a passage that are made for it take no time`() {
        let text =
            String(repeating: "a", count: 200_000) + " " + String(repeating: "ab ", count: 9)
        let term = String(repeating: "a", count: 4000)
        let start = ContinuousClock.now
        #expect(has(":~:text=\(term)b", text) == false)
        #expect(has(":~:text=\(term)-,\(term),\(term),-\(term)b", text) == false)
        #expect(start.duration(to: .now) < .seconds(40))
    }

    @Test func `plain text is looked through as it is written`() {
        let text = VisibleText(plain: Array("one <b>two\nthree".utf8))
        #expect(text.has(TextDirective("<b>two three")))
        #expect(!text.has(TextDirective("wo three")))
    }
}
