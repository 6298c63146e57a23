import TenureCLI

/// The figures of fetching; each needs the manual and nginx, and says so where they are missing.
enum PageFigures {
    static func reading(
        _ bench: BenchRun, _ measure: (ReadingFigures) async throws -> Void
    ) async throws {
        try await with(bench) { try await measure(ReadingFigures(bench: bench, manual: $0)) }
    }

    static func keeping(
        _ bench: BenchRun, _ measure: (KeepingFigures) async throws -> Void
    ) async throws {
        try await with(bench) { try await measure(KeepingFigures(bench: bench, manual: $0)) }
    }

    private static func with(
        _ bench: BenchRun, _ body: (Manual) async throws -> Void
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
        try await body(manual)
    }
}
