import Testing

@testable import Web

@Suite struct AttributeSyntaxTests {
    @Test(arguments: [
        ("a", ["a"]), ("a, b", ["a", "b"]), ("a,b", ["a,b"]), (",, a 1x ,b 2x,", ["a", "b"]),
        ("a 100w, b 1.5x, c", ["a", "b", "c"]), ("a,, b", ["a", "b"]), ("data:,x 1x", ["data:,x"]),
        ("a 1x 2x, b", ["b"]), ("a 0w", []), ("a -1x, b +1x, c .5x, d 1e3x", ["c", "d"]),
        ("a 10w 20h", ["a"]), ("a 20h", []), ("a 1q", []), ("a (x, y) , b", ["b"]), ("", []),
    ])
    func `srcset`(value: String, urls: [String]) {
        let bytes = Array(value.utf8)
        let found = SourceSet.urlRanges(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(found == urls)
    }

    @Test(arguments: [
        ("0;url=x", "x"), (" 5 , x", "x"), ("5 x", "x"), (".5;url='a b' c", "a b"),
        ("5;URL=x y", "x y"), ("5;url = \"x", "x"), ("5;urlx", "urlx"), ("5;'x'", "x"),
        ("5;uri=x", "uri=x"), ("5", nil), ("5;", nil), ("x", nil), ("5x", nil), ("", nil),
        ("-1;url=x", nil),
    ])
    func `meta refresh`(content: String, url: String?) {
        let bytes = Array(content.utf8)
        let found = MetaRefresh.urlRange(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(found == url)
    }

    @Test(arguments: [
        ("a{b:url(x)}", ["url x 1:9"]),
        ("a{b:URL( 'x' )}", ["url x 1:11"]),
        ("a{b:u\\72l(x)}", ["url x 1:11"]),
        ("a{b:url(a\\)b\\20 c)}", ["url a)b c 1:9"]),
        ("a{b:url(a b)} c{d:url(e)}", ["url e 1:23"]),
        ("/* url(x) */\na{b:'url(y)'}", []),
        ("a{b:url(#x)}", []),
        ("a{b:url()}", []),
        ("a{b:image-set('x' 1x, url(y) 2x); c:'z'}", ["url x 1:16", "url y 1:27"]),
        ("@import 'a';@import url(b) screen;", ["import a 1:10", "import b 1:25"]),
        ("@charset 'x';@layer a, b;@import url('c');", ["import c 1:39"]),
        ("a{}@import 'x';", []),
        ("@media x{}@import 'x';", []),
        ("@namespace url(x);a{b:url(y)}", ["url y 1:27"]),
        ("<!-- @import 'x'; -->", ["import x 1:15"]),
        ("@import 'a", ["import a 1:10"]),
        ("a{b:url(x", ["url x 1:9"]),
        ("@font-face{src:url(x)format('y')}", ["url x 1:20"]),
    ])
    func `style sheets`(css: String, expected: [String]) {
        let sheet = WebURL("http://h/s.css")!
        let found = CSSReferences.scan(Array(css.utf8), sheetURL: sheet).map {
            let kind = $0.kind == .cssImport ? "import" : "url"
            return "\(kind) \($0.raw) \($0.position.line):\($0.position.column)"
        }
        #expect(found == expected)
    }
}
