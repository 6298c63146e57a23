import Testing

@testable import TenureWeb

@Suite struct MarkupTests {
    private static let special: [Unicode.Scalar] = ["&", "<", ">", "\"", "'"]
    private static let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"].map { Array($0.utf8) }

    /// As a browser reads it, byte by byte.
    private static func isEscaped(_ markup: Markup) -> Bool {
        let bytes = Array(markup.text.utf8)
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
            case UInt8(ascii: "&"): entities.contains { bytes[(index + 1)...].starts(with: $0) }
            default: true
            }
        }
    }

    /// A character that has something joined to it is another `Character`, and the same markup to
    /// a browser: what isn't escaped scalar by scalar goes out raw there.
    @Test func `nothing that joins, combines or hides keeps a character from being escaped`() {
        var joined = 0
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .format, .control: break
            default: continue
            }
            joined += 1
            for special in Self.special {
                var text = String.UnicodeScalarView()
                text.append(contentsOf: [scalar, special, scalar])
                #expect(Self.isEscaped("\(String(text))"), "U+\(String(value, radix: 16))")
            }
        }
        #expect(joined > 2000)
        #expect(!Self.isEscaped(Markup(stringLiteral: "\"\u{301}")))
    }

    @Test func `a document keeps its lines, and a text is one`() {
        let text = "a\n<b>"
        let (line, document): (Markup, Markup) = ("\(text)", "\(document: text)")
        #expect(line.text == "a\\n&lt;b&gt;" && document.text == "a\n&lt;b&gt;")
        let long: Markup = "\(document: String(repeating: "x", count: 200_000))"
        #expect(long.text.count == 100_001)
    }

    @Test func `addresses are encoded`() {
        let links = Links(prefix: "/admin")
        #expect(links.to([]) == "/admin/")
        #expect(
            links.to("queues", "a/b ü?", query: [("state", "x&y"), ("none", nil)])
                == "/admin/queues/a%2Fb%20%C3%BC%3F?state=x%26y")
    }

    @Test(arguments: [
        ("a=1&b=x%20y+z&a=2", ["1", "2"], "x y z"), ("b=&a", [""], nil), ("b=%C3%BC", [], "ü"),
    ])
    func `queries are read as forms write them`(text: String, all: [String], b: String?) throws {
        let query = try Query(text)
        #expect(query.all("a") == all && query["b"] == b)
    }

    @Test(arguments: ["a=%", "a=%zz", "a=%+1", "a=%ff", "%00=1", "a=x%00"])
    func `what is no text is refused`(text: String) {
        #expect(throws: BadRequest.self) { try Query(text) }
    }
}
