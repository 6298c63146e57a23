/// SQL is whole and visible in its place; elsewhere a string literal holds none.
extension Rule {
    /// Where SQL may stand: a statement has a file, or a folder, that says so in its name.
    private static let places: [Pattern] = [
        { $0.contains(#/(?:Statements?|SQL|Sql)(?:\/|\.swift$)/#) },
        { $0 == "Sources/EmbeddedPostgres/Cluster/ClusterCreation.swift" },
    ]

    private static let statements: [Pattern] = [
        { $0.contains(#/\bSELECT\s/#) },
        { $0.contains(#/\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE)\s/#) },
        { $0.contains(#/\bUPDATE\s+\S+\s+SET\s/#) },
        { $0.contains(#/\b(?:CREATE|ALTER|DROP)\s+[A-Z]{4}/#) },
        { $0.contains(#/\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b/#) },
    ]

    static let sql = perFile(
        "SQL outside the files that hold statements",
        bad: [
            SourceFile("Sources/Tenure/Job/A.swift", "let a = \"SELECT 1\""),
            SourceFile("Sources/Content/A.swift", "let a = \"\"\"\n  DELETE FROM item\n  \"\"\""),
        ],
        good: [
            SourceFile("Sources/Tenure/Enqueue/Statements/A.swift", "let a = \"SELECT 1\""),
            SourceFile("Sources/Tenure/Claim/ClaimStatement.swift", "let a = \"SELECT 1\""),
            SourceFile("Sources/Tenure/Job/A.swift", "// SELECT 1\nlet a = \"select a job\""),
        ],
        in: { repository in
            repository.sources.filter { file in !places.contains { $0(file.path) } }
        },
        lines: { file in
            guard let strings = file.swift?.strings else { return [] }
            return strings.indices.filter { line in
                statements.contains { $0(strings[line]) }
            }
        })
}
