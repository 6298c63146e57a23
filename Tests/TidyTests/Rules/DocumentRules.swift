/// What the documents promise a reader who follows them.
extension Rule {
    static let documents = [links]

    private static let links = Rule(
        name: "a link in a document leads to a file that isn't there",
        check: { repository in
            repository.ours.filter { $0.path.hasSuffix(".md") }.flatMap { file in
                file.lines.enumerated().flatMap { index, line in
                    line.matches(of: #/\]\(([^)\s#]+)[^)]*\)/#).map { String($0.1) }
                        .filter { $0.firstMatch(of: #/^[a-z]+:/#) == nil }
                        .filter { !repository.paths.contains(resolve($0, from: file.path)) }
                        .map { Finding(path: file.path, line: index + 1, text: "no file \($0)") }
                }
            }
        },
        bad: [
            SourceFile("docs/decisions/0001-a.md", "see [b](0002-b.md)"),
            SourceFile("README.md", "see [b](docs/b.md#part)"),
        ],
        good: [
            SourceFile("docs/decisions/0001-a.md", "see [us](../decisions/0001-a.md#why)"),
            SourceFile("README.md", "see [it](https://example.org/a), [below](#below)"),
        ])

    private static func resolve(_ link: String, from path: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for step in link.split(separator: "/") where step != "." {
            if step == ".." { _ = parts.popLast() } else { parts.append(String(step)) }
        }
        return parts.joined(separator: "/")
    }
}
