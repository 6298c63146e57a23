import Testing

@testable import YAML

@Suite struct YAMLReaderTests {
    private func read(_ text: String) throws -> YAMLNode? { try YAMLReader.read(Array(text.utf8)) }

    private func problem(_ bytes: [UInt8]) -> String {
        do {
            _ = try YAMLReader.read(bytes)
            return "read"
        } catch {
            return error.description
        }
    }

    @Test func `a document is maps, lists and texts, each with its place`() throws {
        let root = try #require(try read("# one\nexclude:\n  - 'a*'\n  - b\nstrict: true\n"))
        guard case .map(let entries) = root.content else { throw NoMap() }
        #expect(entries.map(\.key) == ["exclude", "strict"])
        #expect(entries.map(\.place.line) == [2, 5])
        guard case .list(let patterns) = entries[0].value.content else { throw NoMap() }
        #expect(
            patterns.map(\.content) == [.text("a*", isPlain: false), .text("b", isPlain: true)])
        #expect(patterns.map(\.place) == [.init(line: 3, column: 5), .init(line: 4, column: 5)])
        #expect(entries[1].value.place == .init(line: 5, column: 9))
    }

    private struct NoMap: Error {}

    @Test(arguments: ["", "\n\n", "# only a comment\n", "---\n", "\u{FEFF}# and a mark\n"])
    func `nothing is nothing`(text: String) throws { #expect(try read(text) == nil) }

    @Test(arguments: [
        ("a: 1\na: 2\n", "2:1: \"a\" stands in line 1 already"),
        ("a: &x 1\n", "1:4: anchors (&) and aliases (*) aren't read"),
        ("a: *x\n", "1:4: anchors (&) and aliases (*) aren't read"),
        ("exclude:\n  - *.zip\n", "2:5: anchors (&) and aliases (*) aren't read"),
        ("exclude:\n  - */print/*\n", "2:5: anchors (&) and aliases (*) aren't read"),
        ("a: !!str 1\n", "1:4: tags (!) aren't read"),
        ("a: 1\n---\nb: 1\n", "2:1: a second document"),
        ("a:\n\t- b\n", "2:1: a tab; indent with spaces"),
        ("ä: ü\nb:\n\tc: d\n", "3:1: a tab; indent with spaces"),
        ("a: @b\n", "1:4: a character that begins no text"),
        ("a: [1, 2\n", "did not find expected ',' or ']'"),
        ("a: b: c\n", "1:5: mapping values are not allowed"),
        ("a: \"b\n", "found unexpected end of stream"),
        ("? [a]\n: b\n", "1:3: a key that is no text"),
        ("a: b\n c: d\n", "2:3: "),
    ])
    func `what isn't read is refused where it stands`(text: String, expected: String) {
        let told = problem(Array(text.utf8))
        #expect(told.contains(expected), "\(told)")
        #expect(!told.contains { $0.isNewline })
    }

    @Test func `what is no text is refused before it is parsed`() {
        let zero = Array("a: b\nc: \u{0}\n".utf8)
        #expect(problem(zero).hasPrefix("2:4: a control character (0x00)"))
        #expect(problem([0x1B]).hasPrefix("1:1: a control character (0x1B)"))
        #expect(problem([0x61, 0x3A, 0x20, 0xC3, 0x28]).hasPrefix("1:4: no UTF-8"))
        #expect(problem([0xFF, 0xFE, 0x61, 0x00]).contains("control character (0x00)"))
        #expect(problem(Array("é: \u{FFFE}".utf8)).hasPrefix("1:"))
        let long = [UInt8](repeating: 0x61, count: YAMLReader.mostBytes + 1)
        #expect(problem(long) == "1:1: more than 256 KiB")
    }

    @Test func `depth and number are bounded, and soon over`() {
        let start = ContinuousClock.now
        for open in ["[", "{a: ", "- "] {
            let deep = String(repeating: open, count: YAMLReader.mostBytes / open.utf8.count)
            #expect(problem(Array(deep.utf8)).contains("inside of one another"), "\(open)")
        }
        let wide = String(repeating: "- a\n", count: 50_000)
        #expect(problem(Array(wide.utf8)).contains("more than 20000 values"))
        #expect(start.duration(to: .now) < .seconds(10))
    }

    private static let sample = """
        # what people write
        exclude: ["https://a.example/*", '*.zip']
        accept:
          - 403
          - {status: [429, "200..=299"], at: "https://b.example/*"}
        ignore:
          - target: 'https://old.example/ü'
            reason: >
              folded
              text
            until: 2027-01-31
        requests:
          - to: https://c.example
            basic: {user: a, password: env:TENURE_SECRET_A}

        """

    @Test func `whatever the bytes are, it ends with a value or one line`() {
        var random = SystemRandomNumberGenerator()
        let sample = Array(Self.sample.utf8)
        let marks = Array("{}[]:,-?&*!|>'\"%@`#\n\t \u{0}é".utf8)
        var refused = 0
        for round in 0..<6000 {
            var bytes = sample
            switch round % 3 {
            case 0: bytes = Array(sample.prefix(Int.random(in: 0...sample.count, using: &random)))
            case 1:
                for _ in 0...Int.random(in: 0..<6, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] = marks.randomElement(using: &random) ?? 0
                }
            default:
                bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? marks.randomElement(using: &random) ?? 0
                        : .random(in: 0 ... .max, using: &random)
                }
            }
            let told = problem(bytes)
            if told != "read" { refused += 1 }
            #expect(!told.contains { $0.isNewline } && told.utf8.count < 400, "\(told)")
        }
        #expect(refused > 2000)
    }
}
