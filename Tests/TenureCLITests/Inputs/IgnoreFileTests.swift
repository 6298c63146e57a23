import Testing

@testable import TenureCLI

@Suite struct IgnoreFileTests {
    /// As gitignore(5) has them.
    @Test(arguments: [
        ("*.md", "docs/a.md", true), ("/a.md", "a.md", true), ("/a.md", "docs/a.md", false),
        ("docs/a.md", "docs/a.md", true), ("docs/a.md", "x/docs/a.md", false),
        ("build", "x/build", true), ("# a", "# a", false), ("\\#a", "#a", true),
        ("a  ", "a", true), ("**/out", "x/y/out", true), ("x/**/z", "x/z", true),
        ("x/**", "x/y", true), ("*.md\n!a.md", "a.md", false), ("!a.md\n*.md", "a.md", true),
        ("\r\na.md\r\n", "a.md", true), ("[", "[", false), ("!", "a", false), ("/", "a", false),
        (".*", ".env", true),
    ])
    func `names, places, exceptions`(text: String, path: String, expected: Bool) {
        let names = path.split(separator: "/").map(String.init)
        let isIgnored = IgnoreFile(text).ignores(names, isFolder: false) ?? false
        #expect(isIgnored == expected, "\(text) on \(path)")
    }

    @Test func `a slash at the end is for folders`() {
        #expect(IgnoreFile("build/").ignores(["build"], isFolder: true) == true)
        #expect(IgnoreFile("build/").ignores(["build"], isFolder: false) == nil)
    }
}
