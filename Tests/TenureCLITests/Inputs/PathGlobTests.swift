import Testing

@testable import TenureCLI

@Suite struct PathGlobTests {
    private func matches(_ pattern: String, _ path: String, hidden: Bool = false) throws -> Bool {
        try PathGlob(pattern).matches(
            path.split(separator: "/").map(String.init), showsHidden: hidden)
    }

    @Test(arguments: [
        ("*.md", "a.md", true), ("*.md", "docs/a.md", false), ("docs/*.md", "docs/a.md", true),
        ("docs/**/*.md", "docs/a.md", true), ("docs/**/*.md", "docs/a/b/c.md", true),
        ("docs/**/*.md", "other/a.md", false), ("**/*.md", "a.md", true), ("**", "a/b", true),
        ("**/**/a", "a", true), ("a/**", "a", true), ("?.md", "é.md", true),
        ("?.md", "ab.md", false),
        ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true),
        ("[]]", "]", true), ("[a-]", "-", true), ("[*]", "*", true), ("\\*", "*", true),
        ("\\*", "a", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
        ("a//b", "a/b", true), ("**.md", "a.md", true), ("x", "X", false),
        ("*", ".env", false), ("**/*.md", ".github/a.md", false),
        (".github/*.md", ".github/a.md", true),
        (".*", ".env", true), ("*/a", "../a", false),
    ])
    func `names and folders`(pattern: String, path: String, expected: Bool) throws {
        #expect(try matches(pattern, path) == expected, "\(pattern) on \(path)")
    }

    @Test func `capital letters and dots count alike where they are asked to`() throws {
        #expect(try PathGlob("READ*.MD", ignoresCase: true).matches(["readme.md"]))
        #expect(try matches("**/*.md", ".github/a.md", hidden: true))
    }

    @Test(arguments: ["[a", "[", "[]", "[!", "[b-a]", "a/[", String(repeating: "a", count: 5000)])
    func `what is no pattern is refused`(text: String) {
        #expect(throws: PathGlob.Malformed.self) { try PathGlob(text) }
    }

    /// Each of these takes longer than a test may, if every way through the pattern is tried.
    @Test(.timeLimit(.minutes(1))) func `stars don't multiply`() throws {
        let long = String(repeating: "a", count: 4000)
        for pattern in [
            String(repeating: "*", count: 4000), String(repeating: "*a", count: 2000) + "b",
            String(repeating: "**/", count: 1300) + "b", String(repeating: "a*", count: 2000) + "b",
            String(repeating: "?*", count: 2000) + "b",
        ] {
            let isAll = pattern.allSatisfy { $0 == "*" }
            #expect(try PathGlob(pattern).matches([long]) == isAll)
            let deep = Array(repeating: "a", count: 1000)
            #expect(try !PathGlob(pattern + "/x/**/y").matches(deep))
        }
        let alternating = String(repeating: "**/a/", count: 400) + "b"
        #expect(try !PathGlob(alternating).matches(Array(repeating: "a", count: 2000)))
    }
}
