import Testing

/// One thing that the house keeps, with the samples that prove that it would be noticed.
struct Rule: Sendable, CustomTestStringConvertible {
    struct Finding: CustomStringConvertible {
        let path: String
        /// From 1; `nil` for the whole file.
        let line: Int?
        let text: String

        var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(text)" }
    }

    let name: String
    /// A warning is listed and fails nothing.
    var isWarning = false
    let check: @Sendable (Repository) -> [Finding]
    /// Repositories of one file each that break the rule.
    let bad: [SourceFile]
    /// The same for what comes near and is right.
    var good: [SourceFile] = []
    /// Repositories that break the rule by what their files are to each other.
    var badTogether: [[SourceFile]] = []
    /// The same for what comes near and is right.
    var goodTogether: [[SourceFile]] = []

    var testDescription: String { name }

    static let all =
        calls + numbers + imports + system + [folders, sql, outcomes] + shapes + layout + package
        + sqlFunctions + documents + [houseMap]
}

extension Rule {
    /// A rule that looks at each file by itself and names lines, from 0.
    static func perFile(
        _ name: String, bad: [SourceFile], good: [SourceFile] = [],
        in files: @escaping @Sendable (Repository) -> [SourceFile],
        lines: @escaping @Sendable (SourceFile) -> [Int]
    ) -> Rule {
        Rule(
            name: name,
            check: { repository in
                files(repository).flatMap { file in
                    lines(file).map { Finding(path: file.path, line: $0 + 1, text: name) }
                }
            }, bad: bad, good: good)
    }
}
