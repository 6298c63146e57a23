/// Calls that are banned, or that need their reason beside them.
extension Rule {
    static let calls = [
        banned(
            "`try!` crashes where an error should be thrown", { #/\btry!/# },
            "try! f()"),
        banned(
            "a detached task escapes structure and cancellation: use a child task",
            { #/\bTask\.detached\b/# }, "Task.detached { }"),
        output,
        reasoned(
            "`try?` hides an error: say why in a comment", { #/\btry\?/# },
            "let a = try? f()"),
        reasoned(
            "`@unchecked Sendable` needs its reason in a comment above",
            { #/@unchecked\s+Sendable/# }, "final class A: @unchecked Sendable {}"),
        reasoned(
            "a crash needs its reason, as a message or a comment",
            { #/\b(?:fatalError|preconditionFailure)\(\)/# }, "fatalError()"),
    ]

    private static func banned(
        _ name: String, _ pattern: @escaping Pattern, _ sample: String
    ) -> Rule {
        perFile(
            name, bad: [SourceFile("Sources/Tenure/A.swift", sample)],
            good: [SourceFile("Sources/Tenure/A.swift", "// \(sample)\nlet a = \"\(sample)\"")],
            in: \.swift, lines: { $0.codeLines(with: pattern) })
    }

    private static func reasoned(
        _ name: String, _ pattern: @escaping Pattern, _ sample: String
    ) -> Rule {
        perFile(
            name, bad: [SourceFile("Sources/Tenure/A.swift", "let b = 1\n\(sample)")],
            good: [SourceFile("Sources/Tenure/A.swift", "// Reason: a sample.\n\(sample)")],
            in: \.sources,
            lines: { file in
                file.codeLines(with: pattern).filter { !file.hasComment(at: $0) }
            })
    }

    /// Who may write to standard output.
    private static let printers: Set = ["TenureCLI", "TenureMain", "MigrationEmbedder"]

    private static let output = perFile(
        "`print` belongs to the CLI: libraries log or throw",
        bad: [SourceFile("Sources/Tenure/A.swift", "print(1)")],
        good: [
            SourceFile("Sources/TenureCLI/A.swift", "print(1)"),
            SourceFile("Sources/Tenure/A.swift", "footprint(1)"),
        ],
        in: { $0.sources.filter { !printers.contains($0.target ?? "") } },
        lines: { $0.codeLines(with: { #/(?:^|[^.\w])(?:print|debugPrint|dump)\(/# }) })
}
