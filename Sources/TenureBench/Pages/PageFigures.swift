import TenureCLI

/// The figures of fetching; each needs the manual and nginx, and says so where they are missing.
enum PageFigures {
    static let all = [
        FigureEntry("tokenizer", "fetch", "HTML of PostgreSQL's manual into tokens, one core") {
            try await with($0) { try await ReadingFigures(bench: $0, manual: $1).tokenizer() }
        },
        FigureEntry("fetch", "fetch", "fetch, parse, references; no database") {
            try await with($0) { try await ReadingFigures(bench: $0, manual: $1).fetch() }
        },
        FigureEntry("items", "fetch", "content-fetch of each page, everything committed") {
            try await with($0) { try await KeepingFigures(bench: $0, manual: $1).items() }
        },
        FigureEntry("site", "fetch", "tenure check --site, first run and second") {
            try await with($0) { try await KeepingFigures(bench: $0, manual: $1).site() }
        },
    ]

    private static func with(
        _ bench: BenchRun, _ body: (BenchRun, Manual) async throws -> Void
    ) async throws {
        guard let manual = Manual(), ManualServer.program != nil else {
            Terminal.error(
                "fetch: not measured; it needs nginx and PostgreSQL's manual: "
                    + "apt-get install nginx-light postgresql-doc-15")
            return
        }
        guard bench.place.isDatabase else {
            Terminal.error(
                "fetch: not measured; it needs a database of its own: "
                    + "a role with CREATEDB can make one")
            return
        }
        try await body(bench, manual)
    }
}
