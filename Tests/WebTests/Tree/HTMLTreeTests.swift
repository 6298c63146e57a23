import Testing

@testable import Web

@Suite struct HTMLTreeTests {
    /// The body of a tree in one line: `p(b("x"))`.
    static func outline(_ html: String, limits: HTMLLimits = HTMLLimits()) -> String {
        let tree = HTMLTree(Array(html.utf8), limits: limits)
        return tree.children(of: tree.body).map { outline($0, tree) }.joined(separator: " ")
    }

    private static func outline(_ node: HTMLTree.Node, _ tree: HTMLTree) -> String {
        if tree.isText(node) { return "\"\(tree.text(node))\"" }
        let inside = tree.children(of: node).map { outline($0, tree) }.joined(separator: " ")
        return tree.name(of: node) + (inside.isEmpty ? "" : "(\(inside))")
    }

    @Test(arguments: [
        ("<p>a<p>b", #"p("a") p("b")"#),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", #"ul(li("a") li("b" ul(li("c")))) "d""#),
        ("<dl><dt>a<dd>b<dt>c</dl>", #"dl(dt("a") dd("b") dt("c"))"#),
        ("a<br>b</br>c<hr/>d<img>", #""a" br "b" br "c" hr "d" img"#),
        ("<div>a</span></div></div>b", #"div("a") "b""#),
        ("<b>a<i>b</b>c</i>d", #"b("a" i("b")) i("c") "d""#),
        ("<p><b>a<p>b</b>c", #"p(b("a")) p(b("b") "c")"#),
        ("<a>b<a>c</a>", #"a("b") a("c")"#),
        ("<h1>a<h2>b</h3>c", #"h1("a") h2("b") "c""#),
        (
            "<table><td>a<tr><th>b</table>c",
            #"table(tbody(tr(td("a")) tr(th("b")))) "c""#
        ),
        ("<table>a<tr><td>b<b>c</table>d", #""a" table(tbody(tr(td("b" b("c"))))) "d""#),
        (
            "<table><tr><td><table><td>a</table>b<td>c</table>",
            #"table(tbody(tr(td(table(tbody(tr(td("a")))) "b") td("c"))))"#
        ),
        (
            "<table><caption>a<col><tbody><tr><td>b</tbody></table>",
            #"table(caption("a") colgroup(col) tbody(tr(td("b"))))"#
        ),
        ("<table><colgroup>a<col>", #""a" table(colgroup colgroup(col))"#),
        ("<td>a</td>", #""a""#),
        (
            "<select><option>a<option>b<optgroup><option>c</select>",
            #"select(option("a") option("b") optgroup(option("c")))"#
        ),
        ("<ruby>a<rt>b<rt>c</ruby>", #"ruby("a" rt("b") rt("c"))"#),
        ("<svg><title>a</title><g/><path>b</svg>c", #"svg(title("a") g path("b")) "c""#),
        (
            "<svg><foreignObject><p>a</foreignObject></svg>b",
            #"svg(foreignobject(p("a" "b")))"#
        ),
        ("<svg><g><p>a</svg>b", #"svg(g) p("a" "b")"#),
        ("<pre>\na</pre><textarea>\n<b></textarea>", #"pre("a") textarea("<b>")"#),
        ("<p>a<div>b</p>c</div>", #"p("a") div("b" p "c")"#),
        ("<x-y>a</X-Y>b", #"x-y("a") "b""#),
        ("<form>a<form>b</form>c", #"form("a" "b") "c""#),
        ("<button>a<button>b", #"button("a") button("b")"#),
        ("<p>a<script>if (a<b) '</p>'</script>b", #"p("a" script("if (a<b) '</p>'") "b")"#),
    ])
    func `a body becomes a tree`(html: String, expected: String) {
        #expect(Self.outline(html) == expected)
    }

    @Test func `what comes before the body is in the head`() throws {
        let html = "<!doctype html><html lang=de><title>a &amp; b</title><meta charset=utf-8><p>c"
        let tree = HTMLTree(Array(html.utf8))
        #expect(tree.value(.lang, of: tree.root) == "de")
        let names = tree.children(of: tree.head).map { tree.name(of: $0) }
        #expect(names == ["title", "meta"])
        let title = try #require(tree.first(.title, in: tree.head))
        #expect(tree.textContent(of: title) == "a & b")
        #expect(tree.children(of: tree.root) == [tree.head, tree.body])
        let paragraph = try #require(tree.first(.p, in: tree.body))
        #expect(tree.position(of: paragraph) == SourcePosition(offset: 73, line: 1, column: 74))
        #expect(tree.range(of: paragraph) == 73..<77)
    }

    @Test func `positions are those of the source, in any order`() throws {
        let lines = (1...3000).map { "<p id=\($0)>ä\($0)\r\n" }
        let tree = HTMLTree(Array(lines.joined().utf8))
        for paragraph in tree.children(of: tree.body).reversed() {
            let line = Int(tree.value(.id, of: paragraph) ?? "")
            #expect(tree.position(of: paragraph).line == line)
            #expect(tree.position(of: paragraph).column == 1)
        }
    }
}
