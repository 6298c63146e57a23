/// The arrows between targets, as Package.swift draws them (docs/architecture.md). The build
/// enforces what a target depends on; this enforces what it may come to depend on.
extension Rule {
    /// What stands below all: any target may import it.
    private static let lowest: Set = ["TenureSystem", "TenureFoundation"]

    /// What else each target may import of ours.
    private static let arrows: [String: Set<String>] = [
        "TenureSystem": ["TenureLibc"], "TenureFoundation": [],
        "TenureLibpq": [], "TenureLibidn2": [], "TenureLibcurl": [], "TenureCodecs": [],
        "TenureLibyaml": [],
        "TenurePostgres": ["TenureLibpq"],
        "Tenure": ["TenurePostgres"],
        "TenureWorker": ["Tenure", "TenurePostgres"],
        "TenureCoordinator": ["Tenure", "TenurePostgres"],
        "TenureTestKit": ["Tenure", "TenureWorker", "TenurePostgres"],
        "TenureTestDatabase": [
            "Tenure", "TenureWorker", "TenureTestKit", "TenurePostgres", "EmbeddedPostgres",
        ],
        "TenureEncryption": ["Tenure"],
        "TenureWeb": ["Tenure", "TenureCoordinator"],
        "Web": ["TenureLibidn2"],
        "HTTPTransport": ["TenureLibcurl", "TenureCodecs", "Web"],
        "Content": ["Tenure", "TenureWorker", "TenureCoordinator", "Web", "HTTPTransport"],
        "EmbeddedPostgres": [],
        "YAML": ["TenureLibyaml"],
        "TenureCLI": [
            "Tenure", "TenurePostgres", "TenureWorker", "TenureCoordinator", "TenureWeb",
            "Content", "EmbeddedPostgres", "YAML",
        ],
        "TenureMain": ["TenureCLI"],
        "TenureBench": ["TenureCLI", "Tenure", "TenureWorker", "Content", "EmbeddedPostgres"],
        "EmbedMigrations": [], "MigrationEmbedder": [],
    ]

    static let imports = [arrowsKept, libpqAtHome, serverAtHome, targetsKnown]

    private static let arrowsKept = Rule(
        name: "imports follow the arrows",
        check: { repository in
            repository.sources.flatMap { file -> [Finding] in
                guard let target = file.target, let own = arrows[target] else { return [] }
                let allowed = lowest.contains(target) ? own : own.union(lowest)
                return file.imports.filter { arrows[$0.module] != nil }
                    .filter { !allowed.contains($0.module) }
                    .map { found in
                        let text = "\(target) must not import \(found.module)"
                        return Finding(path: file.path, line: found.line, text: text)
                    }
            }
        },
        bad: [
            SourceFile("Sources/Content/A.swift", "import TenurePostgres"),
            SourceFile("Sources/TenureWorker/A.swift", "package import TenureCoordinator"),
            SourceFile("Sources/Web/A.swift", "@testable import Tenure"),
            SourceFile("Sources/TenureSystem/A.swift", "import TenureFoundation"),
        ],
        good: [
            SourceFile("Sources/Tenure/A.swift", "import Logging\npublic import TenurePostgres"),
            SourceFile("Sources/YAML/A.swift", "import TenureSystem"),
        ])

    private static let libpqAtHome = perFile(
        "only TenurePostgres imports TenureLibpq, tests included",
        bad: [SourceFile("Tests/TenureTests/A.swift", "import TenureLibpq")],
        good: [SourceFile("Sources/TenurePostgres/A.swift", "import TenureLibpq")],
        in: { $0.swift.filter { !["TenurePostgres", "TenureLibpq"].contains($0.target) } },
        lines: { file in
            file.imports.filter { $0.module == "TenureLibpq" }.map { $0.line - 1 }
        })

    private static let serverAtHome = perFile(
        "only TenureWeb, TenureCLI, their tests and the examples import the HTTP server",
        bad: [
            SourceFile("Sources/Content/A.swift", "import Hummingbird"),
            SourceFile("Sources/TenureWorker/A.swift", "internal import NIOCore"),
        ],
        good: [
            SourceFile("Sources/TenureCLI/A.swift", "import NIOCore"),
            SourceFile("Tests/TenureCLITests/A.swift", "import Hummingbird"),
            SourceFile("Examples/Web/A.swift", "import Hummingbird"),
        ],
        in: {
            $0.swift.filter {
                !$0.path.hasPrefix("Examples/")
                    && ![
                        "TenureWeb", "TenureWebTests", "TenureCLI", "TenureCLITests",
                    ].contains($0.target)
            }
        },
        lines: { file in
            file.imports.filter { found in
                ["Hummingbird", "NIO"].contains { found.module.hasPrefix($0) }
            }.map { $0.line - 1 }
        })

    private static let targetsKnown = Rule(
        name: "every target has its arrows in ImportRules",
        check: { repository in
            let unknown = repository.sources.filter { arrows[$0.target ?? ""] == nil }
            return unknown.map { Finding(path: $0.path, line: nil, text: "unknown target") }
        },
        bad: [SourceFile("Sources/Novelty/A.swift", "")])
}

extension SourceFile {
    /// The modules that the file imports, with their lines, from 1.
    fileprivate var imports: [(module: String, line: Int)] {
        let pattern = #/^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?(\w+)/#
        guard let swift else { return [] }
        return swift.code.enumerated().compactMap { index, line in
            line.firstMatch(of: pattern).map { (String($0.1), index + 1) }
        }
    }
}
