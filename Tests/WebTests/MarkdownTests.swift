import Testing
import Web

@Suite struct MarkdownTests {
    private static let url = WebURL("http://127.0.0.1/docs/a.md")!

    private func scan(_ text: String) -> MarkdownReferences {
        .scan(Array(text.utf8), documentURL: Self.url)
    }

    /// Each as `line:column kind raw`.
    private func lines(_ text: String) -> [String] {
        scan(text).references.map {
            "\($0.position.line):\($0.position.column) \($0.kind) \($0.raw)"
        }
    }

    private func names(_ text: String) -> [String] { scan(text).anchors.map(\.name) }

    @Test func `links stand where their text begins`() {
        let text = """
            # Über *alles*

            Ein [Wort](b.md "t"), ünd ![img](a.png)
            und [noch][r]; <https://one.test/x>, https://two.test/y. <mail@one.test>
            <a href="old.md">old</a> [z](z.md)

            > - innen [n](n.md)
            >   und [m](m.md)

            | a | b |
            |---|---|
            | ü | [u](u.md) |

            Dazu[^1] `[no](link.md)`.

            [r]: ref.md
            [^1]: siehe [f](f.md).
            """
        #expect(
            lines(text) == [
                "3:5 anchor b.md", "3:27 image a.png", "4:5 anchor ref.md",
                "4:17 anchor https://one.test/x", "4:38 anchor https://two.test/y",
                "4:59 anchor mailto:mail@one.test", "5:10 anchor old.md", "5:26 anchor z.md",
                "7:11 anchor n.md", "8:9 anchor m.md", "12:7 anchor u.md", "17:13 anchor f.md",
            ])
    }

    @Test func `a link says what its reader sees, and leads where its document says`() {
        let found = scan("[a *b* `c` ![d](e.png)](../x/y.md#z 'title')").references
        #expect(found.map(\.text) == ["a b c d", "d"])
        #expect(found[0].url?.href == "http://127.0.0.1/x/y.md#z")
        #expect(scan("[a](http://[)").references.map(\.url) == [nil])
    }

    /// As GitHub names them: by hand, on a page of it.
    @Test(arguments: [
        ("# A  Title, with `code` & more!", "a--title-with-code--more"),
        ("## 1.2 Über_uns – jetzt", "12-über_uns--jetzt"),
        ("Setext *x*\n===", "setext-x"), ("### [linked](x) ![img](y)", "linked-img"),
        ("# 中文 标题", "中文-标题"), ("# a/b.c::d", "abcd"), ("# -- dash", "---dash"),
        ("# <b>bold</b>", "bold"), ("<h2 align=center>In <b>HTML</b></h2>", "in-html"),
        ("# emoji 🎉 here", "emoji--here"),
    ]) func `headings get names`(text: String, name: String) {
        #expect(names(text).first == name)
    }

    /// GitHub's pages find those, too, and people write them.
    @Test func `a heading is found in its own case, and an element by its name`() {
        #expect(
            names("# In Windows\n\n# In Windows\n") == [
                "in-windows", "In-Windows", "in-windows-1", "In-Windows-1",
            ])
        #expect(names("<h3 name=\"config\">\nHow?\n</h3>\n") == ["config", "how", "How"])
    }

    @Test func `a name that is taken gets a number, and HTML has its own`() {
        #expect(
            names("# a\n\n# a\n\n<a name=old></a>\n\n<h3 id=mine>a</h3>\n") == [
                "a", "a-1", "old", "mine", "a-2",
            ])
    }

    @Test func `front matter is no text, and keeps its lines`() {
        let text = "---\ntitle: [x](y.md)\nlink: https://one.test/\n---\n\n# T\n[a](b.md)\n"
        #expect(lines(text) == ["7:1 anchor b.md"])
        #expect(names(text) == ["t", "T"])
        #expect(lines("---\n[a](b.md)\n") == ["2:1 anchor b.md"])
    }

    @Test func `what would take too long is not read, and says so`() {
        for text in [
            String(repeating: "> ", count: 60_000), String(repeating: "|x", count: 20_000),
            String(repeating: "a\n", count: 600_000),
        ] {
            #expect(!scan(text).isComplete)
        }
        #expect(scan(String(repeating: "- a\n", count: 10_000)).isComplete)
    }

    @Test func `any bytes are read`() {
        var state: UInt64 = 42
        let pieces =
            [
                "[", "]", "(", ")", "!", "<", ">", "`", "*", "_", "#", "|", "-", "\n", "\r", "\0",
                "a",
                " ", "http://x", "\u{E9}", "&#0;", "<a href=", "[^1]", "---\n",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB, 0xBF]]
        for _ in 0..<3000 {
            var bytes: [UInt8] = []
            for _ in 0..<40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes += pieces[Int(state >> 33) % pieces.count]
            }
            let scan = MarkdownReferences.scan(bytes, documentURL: Self.url)
            for place in scan.references.map(\.position) + scan.anchors.map(\.position) {
                #expect(place.line >= 1 && place.column >= 1 && place.offset <= bytes.count)
            }
        }
    }

    /// cmark-gfm knows by one table for the process which characters begin what extensions read.
    @Test func `documents that are read at the same time lose no link`() async throws {
        let text = (1...200).map { "It is at https://two.test/\($0) here.\n\n" }.joined()
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask { self.scan(text).references.count }
            }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(counts == [200])
    }
}
