import FoundationEssentials
import Tenure
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
    func `the tutorial's thumbnails are made, and a new upload stops the old run`() async throws {
        let pool = try await openDatabase(TestPostgres.shared().makeDatabase())
        try await pool.simple(
            "CREATE TABLE picture (id bigint PRIMARY KEY, file text NOT NULL, thumbnail text)")
        try await aThumbnailIsMade(pool)
        try await aNewUploadStopsTheOldRun(pool)
        try await look(at: pool)

        // The two jobs of the other driver's upload and the album, by a real worker.
        try await uploadElsewhere(Elsewhere(pool: pool), TenureClient(pool: pool))
        let run = try await startAlbum([7, 8, 9], TenureClient(pool: pool))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runThumbnails(pool) { "tiny \($0)" } }
            var made = 0
            while made == 0 {
                try await Task.sleep(for: .milliseconds(20))
                made = try await pool.query(
                    "SELECT 1 FROM picture WHERE thumbnail = 'tiny owl.png'")
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        var jobs = JobRegistry()
        registerAlbum(&jobs)
        let ends = try await TestQueue(pool: pool, jobs: jobs).drain()
        #expect(
            ends.map(\.kind)
                == ["album", "album-page", "album-page", "album-page", "album-done"])
        #expect(try await TenureClient(pool: pool).end(ofBatch: run).completed == 4)
    }

    @Test func `every piece of our Swift in the articles and pages is compiled here`() throws {
        let compiled = try ["Tests/ReadmeTests", "Examples"].flatMap {
            try Self.files(in: Self.root.appending(path: $0), "swift")
        }.map { try Self.lines(of: $0) }
        let articles = try Self.files(in: Self.catalog, "md")
        #expect(articles.count > 5)
        let pages = ["README.md", "docs/side-by-side.md", "docs/handlers.md"]
            .map { Self.root.appending(path: $0) }
        for article in articles + pages {
            for quote in Self.quotes(in: try Self.lines(of: article)) {
                #expect(
                    compiled.contains { $0.contains(quote) },
                    "\(article.lastPathComponent) quotes what no file of Tests/ReadmeTests has")
            }
        }
    }

    @Test func `every step of the tutorial shows a file that is compiled here`() throws {
        let steps = try Self.files(in: Self.catalog, "tutorial").flatMap { try Self.lines(of: $0) }
            .compactMap { $0.firstMatch(of: #/@Code\(name: "([^"]+)", file: "([^"]+)"/#) }
            .map { String($0.2) }
        #expect(steps.count > 5)
        for step in Set(steps) {
            let shown = Self.catalog.appending(path: "Resources/\(step)")
            let compiled = Self.root.appending(path: "Tests/ReadmeTests/Tutorial/\(step)")
            #expect(try Self.lines(of: shown) == Self.lines(of: compiled), "\(step)")
        }
    }

    @Test func `the topics list every public type, and none that isn't there`() throws {
        let sources = try Self.files(in: Self.root.appending(path: "Sources/Tenure"), "swift")
        let declared = try sources.flatMap { try Self.whole(linesOf: $0) }.compactMap {
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

    private static func whole(linesOf file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
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
