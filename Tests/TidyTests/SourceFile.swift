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

    /// The numbers, from 0, of the lines of code in which a pattern is found.
    func codeLines(with pattern: Pattern) -> [Int] {
        swift?.code.numbers(with: pattern) ?? []
    }
}

extension [String] {
    /// The numbers of the lines in which a pattern is found.
    func numbers(with pattern: Pattern) -> [Int] {
        let expression = pattern()
        return indices.filter { self[$0].contains(expression) }
    }
}

/// Makes a regular expression, which itself isn't `Sendable`; once for a file, not for a line.
typealias Pattern = @Sendable () -> Regex<Substring>
