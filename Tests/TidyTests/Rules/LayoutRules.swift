/// How text lies on the page, in files of every kind.
extension Rule {
    static let layout = [columns, tabs, trailing, machinePaths, length]

    private static let columns = perFile(
        "a line over 100 columns",
        bad: [SourceFile("Sources/Tenure/A.swift", String(repeating: "a", count: 101))],
        good: [
            SourceFile("Sources/Tenure/A.swift", String(repeating: "ä", count: 100)),
            SourceFile("README.md", String(repeating: "a", count: 101)),
        ],
        in: { $0.ours.filter(\.isCode) },
        lines: { file in file.lines.indices.filter { file.lines[$0].count > 100 } })

    private static let tabs = perFile(
        "a tab", bad: [SourceFile("migrations/0001_a.sql", "SELECT\t1")],
        in: \.ours, lines: { file in file.lines.indices.filter { file.lines[$0].contains("\t") } })

    private static let trailing = perFile(
        "white space at the end of a line",
        bad: [SourceFile("README.md", "text ")],
        good: [SourceFile("README.md", "text\n")],
        in: \.ours,
        lines: { file in
            file.lines.indices.filter { file.lines[$0].last?.isWhitespace == true }
        })

    /// Written in two parts, or this file would break its own rule.
    private static let machinePaths = perFile(
        "an absolute path of one machine",
        bad: [
            SourceFile("bin/a", "cd /" + "work/tenure"), SourceFile("README.md", "`/" + "root/x`"),
        ],
        good: [SourceFile("README.md", "docs/" + "root/x, home/work/")],
        in: \.ours,
        lines: { file in
            file.lines.numbers(with: { #/(?:^|[^\w.\/~-])\/(?:work|root|home\/\w+)\//# })
        })

    private static let length = Rule(
        name: "a file over 300 lines", isWarning: true,
        check: { repository in
            repository.ours.filter { $0.isCode && $0.lines.count > 301 }
                .map { Finding(path: $0.path, line: nil, text: "\($0.lines.count) lines") }
        },
        bad: [SourceFile("Sources/Tenure/A.swift", String(repeating: "\n", count: 301))],
        good: [SourceFile("Sources/Tenure/A.swift", String(repeating: "\n", count: 300))])
}

extension SourceFile {
    /// Code, as against prose and other people's text.
    fileprivate var isCode: Bool {
        let endings = [".swift", ".sql", ".sh", ".py", ".c", ".h"]
        let folders = ["bin/", ".ci/"]
        return endings.contains { path.hasSuffix($0) } || folders.contains { path.hasPrefix($0) }
    }
}
