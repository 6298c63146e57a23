/// Numbers that somebody else wrote, in the targets that read them: what traps on some of them
/// needs the reason beside it why it doesn't on these.
extension Rule {
    static let numbers = [
        outside(
            "`.seconds(…)` of a number that isn't there to be read traps on some: say "
                + "`.clamped(seconds:)`, or why it is bounded in a comment above",
            {
                #/
                \.(?:seconds|milliseconds|microseconds|nanoseconds)
                \((?![\d_.]+(?:\ \*\ [\d_]+)?\)|\.random)(?!$)
                /#
            },
            bad: [
                "let pause = Duration.seconds(options.pause)", "x = seconds.map { .seconds($0) }",
            ],
            good: [
                "let day: Duration = .seconds(86_400)", "f(.seconds(40 * 60), .milliseconds(5))",
                "try await sleep(for: .milliseconds(.random(in: 20...100)))",
                "let pause = Duration.clamped(seconds: options.pause)",
            ]),
        outside(
            "an integer of a quotient or a time traps where that is out of range: say why it "
                + "isn't in a comment above",
            {
                #/
                \bU?Int(?:8|16|32|64)?\((?!clamping:|truncatingIfNeeded:|exactly:|bitPattern:)
                [^()]*(?:\ \/\ |[Ss]econds\b|[Ii]nterval|Double|\.rounded)
                /#
            },
            bad: ["let n = Int64(seconds * 1000)", "let n = Int(time / .seconds(1))"],
            good: ["let n = Int64(exactly: seconds)", "let n = Int(bytes.count)"]),
        outside(
            "a smaller integer traps on larger ones: say `clamping:`, `exactly:` or "
                + "`truncatingIfNeeded:`",
            {
                #/
                (?:^|[^.\w])Int(?:8|16|32)
                \((?!clamping:|truncatingIfNeeded:|exactly:|bitPattern:|bigEndian:|[\dA-Z])
                |\bInt(?:8|16|32)\.init\b
                /#
            },
            bad: ["f(Int32(depth))", "f(status.map(Int32.init))"],
            good: ["f(Int32(clamping: depth))", "f(row.decode(0, as: Int32.self))", "f(Int32(0))"],
            targets: ["Content"]),
        outside(
            "a sum with a number from outside overflows: bound it where it is decoded, and say so "
                + "in a comment above",
            {
                #/
                (?:depth|hops|failures|looks|upperBound|total|received|retries)\)?
                \ [+*]\ \w
                /#
            },
            bad: ["let next = place.depth + 1", "f(bytes.upperBound + 1)"],
            good: ["let next = place.depth &+ 1", "let a = depthOf(b) - 1"],
            targets: ["Content"]),
    ]

    /// Where a number from outside can come to. What is served of a folder is the operator's own.
    private static let readers: Set = ["Content", "Web", "HTTPTransport"]

    private static func outside(
        _ name: String, _ pattern: @escaping Pattern, bad: [String], good: [String],
        targets: Set<String> = readers
    ) -> Rule {
        perFile(
            name, bad: bad.map { SourceFile("Sources/Content/A.swift", "let b = 1\n\($0)") },
            good: good.map { SourceFile("Sources/Content/A.swift", "let b = 1\n\($0)") }
                + bad.map { SourceFile("Sources/Content/A.swift", "// Bounded: a sample.\n\($0)") },
            in: { repository in
                repository.sources.filter {
                    targets.contains($0.target ?? "") && !$0.path.contains("/Folder/")
                }
            },
            lines: { file in
                file.codeLines(with: pattern).filter { !file.hasComment(at: $0) }
            })
    }
}
