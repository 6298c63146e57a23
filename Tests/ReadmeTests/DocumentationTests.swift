import Tenure
import TenureFoundation
import TenureTestKit
import TenureWorker
import TestSupport
import Testing

/// What the documentation quotes is what is compiled in this folder, and what it walks through
/// works.
@Suite struct DocumentationTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let catalog = root.appending(path: "Sources/Tenure/Tenure.docc")

    @Test(.timeLimit(.minutes(2)))
    func `the tutorial's worker makes thumbnails, also of what another driver enqueues`()
        async throws
    {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await Program.run(["migrate"], database: conninfo)
        try await Program.run(["upload", "7", "cat.png"], database: conninfo)
        await #expect(throws: Program.Usage.self) {
            try await Program.run(["upload", "7"], database: conninfo)
        }

        // The two jobs of the other driver's upload and the album, by a real worker.
        try await uploadElsewhere(Elsewhere(pool: pool), TenureClient(pool: pool))
        let run = try await startAlbum([7, 8, 9], TenureClient(pool: pool))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Program.work(pool) { "tiny \($0)" } }
            for file in ["cat.png", "owl.png"] {
                var made = 0
                while made == 0 {
                    try await Task.sleep(for: .milliseconds(20))
                    made = try await pool.query(
                        "SELECT 1 FROM picture WHERE thumbnail = $1", ["tiny \(file)"])
                }
            }
            group.cancelAll()
            // The group of services tells its cancellation by an error.
            while let ended = await group.nextResult() { _ = ended }
        }
        let other = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        var jobs = JobRegistry()
        registerAlbum(&jobs)
        let ends = try await TestQueue(pool: other, jobs: jobs).drain()
        #expect(
            ends.map(\.kind)
                == ["album", "album-page", "album-page", "album-page", "album-done"])
        #expect(try await TenureClient(pool: other).end(ofBatch: run).completed == 4)
    }

    @Test func `every piece of our Swift in the articles and pages is compiled here`() throws {
        let compiled = try ["Tests/ReadmeTests", "Examples"].flatMap {
            try Self.files(in: Self.root.appending(path: $0), "swift")
        }.map { try Self.lines(of: $0) }
        let articles = try Self.files(in: Self.catalog, "md")
        #expect(articles.count > 5)
        let pages = [
            "README.md", "docs/side-by-side.md", "docs/handlers.md", "docs/coming-from.md",
            "docs/other-drivers.md", "docs/several.md",
        ]
        .map { Self.root.appending(path: $0) }
        for article in articles + pages {
            for quote in Self.quotes(in: try Self.lines(of: article)) {
                #expect(
                    compiled.contains { $0.contains(quote) },
                    "\(article.lastPathComponent) quotes what no file of Tests/ReadmeTests has")
            }
        }
    }

    /// What is not here (the manifest, `main.swift`), `bin/test examples tutorial` compiles.
    @Test func `the tutorial's files are those that are compiled here`() throws {
        let page = try Self.whole(of: Self.root.appending(path: "docs/tutorial.md"))
        let files = page.matches(
            of: #/```swift \S*\/(?<name>\w+\.swift)\n(?<text>(?:.*\n)*?)```\n/#)
        let folder = Self.root.appending(path: "Tests/ReadmeTests/Tutorial")
        let compiled = try Self.files(in: folder, "swift")
        #expect(compiled.count > 5)
        for file in compiled {
            let shown = files.filter { $0.output.name == file.lastPathComponent }
            #expect(shown.count == 1, "\(file.lastPathComponent)")
            // The package's own tests import its program.
            let text = shown.first?.output.text.replacing(
                "\n@testable import thumbnails\n", with: "")
            #expect(try text == Self.whole(of: file)[...], "\(file.lastPathComponent)")
        }
    }

    @Test func `the topics list every public type, and none that isn't there`() throws {
        let sources = try Self.files(in: Self.root.appending(path: "Sources/Tenure"), "swift")
        let declared = try sources.flatMap { try Self.whole(of: $0).split(separator: "\n") }
            .compactMap {
                $0.firstMatch(
                    of: #/^public (?:final )?(?:struct|enum|protocol|class|actor) ([A-Za-z]+)/#
                ).map { String($0.1) }
            }
        let page = try Self.lines(of: Self.catalog.appending(path: "Tenure.md"))
        let topics = page.drop { $0 != "## Topics" }
            .compactMap { $0.firstMatch(of: #/^- ``([A-Za-z]+)``$/#).map { String($0.1) } }
        #expect(Set(declared).subtracting(topics).sorted() == [])
        #expect(Set(topics).subtracting(declared).sorted() == [])
        #expect(Set(topics).count == topics.count)
    }

    // MARK: Files

    private static func files(in folder: URL, _ type: String) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".\(type)") }.map { folder.appending(path: $0) }
    }

    /// Without their indentation: a quote may stand further left than what it quotes.
    static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
    }

    private static func whole(of file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    private static func quotes(in lines: [String]) -> [[String]] {
        var quotes: [[String]] = []
        var quote: [String]?
        for line in lines {
            if line == "```swift" {
                quote = []
            } else if line == "```", let whole = quote {
                quotes.append(whole)
                quote = nil
            } else {
                quote?.append(line)
            }
        }
        return quotes
    }
}

/// Stands for another driver.
private struct Elsewhere: OtherTransaction {
    let pool: PostgresPool

    func run(_ sql: String, _ values: [String?]) async throws -> [[String?]] {
        try await pool.query(sql, values) { row in
            try (0..<3).map { try row.decode($0, as: String?.self) }
        }
    }
}
