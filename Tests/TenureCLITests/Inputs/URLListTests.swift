import Testing

@testable import TenureCLI

@Suite struct URLListTests {
    private func lines(_ text: String) throws -> [URLList.Line] {
        try URLList.lines(Array(text.utf8), of: "urls.txt")
    }

    private func refusal(_ bytes: [UInt8]) -> String {
        do {
            _ = try URLList.lines(bytes, of: "urls.txt")
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `lines have their numbers, whatever they end with`() throws {
        let found = try lines(
            "\u{FEFF}# ours\r\n\r\n http://a.test/#x \r\n\thttp://b.test/\n#\nc.md")
        #expect(
            found == [
                URLList.Line(number: 3, text: "http://a.test/#x"),
                URLList.Line(number: 4, text: "http://b.test/"),
                URLList.Line(number: 6, text: "c.md"),
            ])
    }

    @Test(arguments: [
        ("", "urls.txt names nothing"), ("\n\n# http://a.test\n", "urls.txt names nothing"),
        ("a\nb\0c\n", "urls.txt:2:"), ("a\u{7F}", "urls.txt:1:"), ("a\rb\n", "urls.txt:1:"),
    ])
    func `what is no list is refused in one line`(text: String, words: String) {
        let said = refusal(Array(text.utf8))
        #expect(said.contains(words) && !said.contains("\n"), "\(said)")
    }

    @Test func `what is no text is refused with its line`() {
        #expect(refusal([0x61, 0x0A, 0xFF, 0xFE]).contains("urls.txt:2: no text in UTF-8"))
        #expect(refusal([0xFF, 0xFE, 0x68, 0x00]).contains("urls.txt:1: no text in UTF-8"))
    }

    @Test(.timeLimit(.minutes(1))) func `a million lines are too many, and told of soon`() {
        let line = Array("http://a.test/\n".utf8)
        let many = Array(repeatElement(line, count: 1_000_000).joined())
        #expect(refusal(many).contains("urls.txt:50001: more than 50000 pages"))
    }
}
