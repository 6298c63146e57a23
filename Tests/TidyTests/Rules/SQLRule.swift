/// SQL is whole and visible in its place; elsewhere a string literal holds none.
extension Rule {
    /// Where SQL may stand besides a statement's own type.
    private static let places: Set = [
        // Before there are tables to prepare statements for.
        "Sources/EmbeddedPostgres/Cluster/ClusterCreation.swift",
        "Sources/Tenure/Migrations/Migrator.swift",
        "Sources/Tenure/Migrations/Migrator+Functions.swift",
        // Whole databases, for tests.
        "Sources/TenureTestDatabase/TestServer.swift",
        // For another driver's transaction, which takes text and not our statements.
        "Sources/Tenure/Enqueue/ForeignEnqueue.swift",
        "Sources/TenureWorker/Commit/ForeignFinish.swift",
        // Remedies, for an operator to run.
        "Sources/TenureCLI/Doctor/ServerChecks.swift",
    ]

    /// Grants, to roles whose names are no parameters.
    private static let roles = "Sources/TenureCLI/Roles/Role"

    private static let statements: [Pattern] = [
        { #/\bSELECT\s/# },
        { #/\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE)\s/# },
        { #/\bUPDATE\s+\S+\s+SET\s/# },
        { #/\b(?:CREATE|ALTER|DROP)\s+[A-Z]{4}/# },
        { #/\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b/# },
    ]

    static let sql = perFile(
        "SQL outside the files that hold statements",
        bad: [
            SourceFile("Sources/Tenure/Job/A.swift", "let a = \"SELECT 1\""),
            SourceFile("Sources/Content/A.swift", "let a = \"\"\"\n  DELETE FROM item\n  \"\"\""),
        ],
        good: [
            SourceFile(
                "Sources/Tenure/Claim/ClaimJobs.swift",
                "struct ClaimJobs: PostgresStatement {\n  static let sql = \"SELECT 1\"\n}"),
            SourceFile("Sources/Tenure/Job/A.swift", "// SELECT 1\nlet a = \"select a job\""),
        ],
        in: {
            $0.sources.filter {
                !places.contains($0.path) && !$0.path.hasPrefix(roles) && !$0.holdsStatements
            }
        },
        lines: { file in
            statements.flatMap { file.swift?.strings.numbers(with: $0) ?? [] }
        })
}

extension SourceFile {
    /// Whether the file declares a type that is a statement: text, parameters and row in one.
    fileprivate var holdsStatements: Bool {
        !codeLines(with: { #/^\s*(?:\w+ )*struct \w+(?:<.*>)?: .*\bPostgres\w*Statement\b/# })
            .isEmpty
    }
}
