/// One file of the repository, by its path from the root.
struct SourceFile {
    let path: String
    let text: String
    let lines: [String]
    /// Taken apart, when it is Swift.
    let swift: SwiftText?

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        swift = path.hasSuffix(".swift") ? SwiftText(text) : nil
    }

    /// The target a source belongs to: the folder below `Sources` or `Tests`.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && ["Sources", "Tests"].contains(parts[0]) ? String(parts[1]) : nil
    }

    var isSource: Bool { path.hasPrefix("Sources/") }

    /// Other people's text, kept byte for byte: tests read it, the house rules don't apply to it.
    var isFixture: Bool {
        path.hasPrefix("Tests/") && (path.contains("/Fixtures/") || path.contains("/Corpora/"))
    }

    /// Whether a comment stands on the line, or right above it.
    func hasComment(at line: Int) -> Bool {
        guard let swift else { return false }
        if !swift.comments[line].isEmpty { return true }
        guard line > 0 else { return false }
        return !swift.comments[line - 1].isEmpty
            && swift.code[line - 1].allSatisfy(\.isWhitespace)
    }

    /// The numbers, from 0, of the lines of code in which something is found.
    func codeLines(where isFound: Pattern) -> [Int] {
        guard let swift else { return [] }
        return swift.code.indices.filter { isFound(swift.code[$0]) }
    }
}

/// A look at one line. A closure around a regular expression, which itself isn't `Sendable`.
typealias Pattern = @Sendable (String) -> Bool
