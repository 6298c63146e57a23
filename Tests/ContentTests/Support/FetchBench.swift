import Content
import HTTPTransport
import Logging
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// A database, a local web, and workers that fetch from it.
struct FetchBench: Sendable {
    let fixture: ContentFixture
    let web: LocalWeb
    var pool: PostgresPool { fixture.pool }
    var items: Items { Items(pool: pool) }

    init(_ label: String) async throws {
        fixture = try await ContentFixture(label)
        web = try LocalWeb()
    }

    private static var unpaced: ContentConfiguration {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        return configuration
    }

    func working<Result: Sendable>(
        logger: Logger? = nil, firstByte: Duration = .milliseconds(700),
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var configuration = Self.unpaced
        configuration.limits.firstByte = firstByte
        // The tests' own server; nothing else may be reached.
        try configuration.allow(["127.0.0.1"])
        return try await fixture.withWorkers(
            configuration: configuration, logger: logger, body)
    }

    func fetch(
        _ path: String, mode: ContentFetch.Mode = .article, force: Bool = true,
        merge: ContentFetch.Merge = .defensive, limits: FetchLimits? = nil
    ) -> ContentFetch {
        var fetch = ContentFetch(url: web.url + path, mode: mode, force: force, merge: merge)
        fetch.limits = limits
        return fetch
    }

    /// In its host's lane. One attempt is all it gets.
    func enqueue(_ fetch: ContentFetch) async throws -> JobID {
        var options = fetch.options(Self.unpaced)
        options.maxAttempts = 1
        return try await fixture.client.enqueue(fetch, .keeping(fetch.key), options: options).id
    }

    struct Ended: Sendable, Equatable {
        var state: String
        var attempt: Int
    }

    /// How the job's first attempt left it, when it was through with all hosts. Workers have to
    /// run.
    func ended(_ job: JobID) async throws -> Ended {
        let sql = """
            SELECT j.state::text, j.attempt FROM tenure.job j
            WHERE j.id = $1 AND j.runs > 0 AND j.state NOT IN ('running', 'available')
            UNION ALL SELECT h.outcome::text, h.attempt FROM tenure.job_history h WHERE h.id = $1
            """
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            let found = try await pool.query(sql, [job.uuid]) {
                Ended(state: try $0.decode(0), attempt: Int(try $0.decode(1, as: Int32.self)))
            }
            if let found = found.first { return found }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverEnded(job: job)
    }

    struct NeverEnded: Error { let job: JobID }

    /// Fetches, and returns the item as it is then.
    @discardableResult
    func run(_ fetch: ContentFetch) async throws -> Item {
        let job = try await enqueue(fetch)
        let end = try await working { try await ended(job) }
        try #require(end.state == "completed" || end.state == "discarded", "\(end)")
        return try #require(try await items.item(url: fetch.url))
    }

    func last(_ item: Item) async throws -> ItemFetchRecord {
        try #require(try await items.fetches(of: item, limit: 1).first)
    }

    func value<Value: PostgresDecodable>(_ sql: String, as: Value.Type) async throws -> Value {
        try await pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }

    func state(of url: String) async throws -> String {
        try await pool.query(
            "SELECT state FROM content.target WHERE id = content.digest($1)", [url]
        ) { try $0.decode(0, as: String.self) }.first ?? "none"
    }
}

/// A page with so many words of its own.
func page(_ title: String, words: Int, head: String = "") -> String {
    let sentences = (0..<max(words / 10, 0)).map { number in
        "<p>Sentence \(number) has some words, and they are really enough.</p>"
    }
    return "<html><head><title>\(title)</title>\(head)</head><body><article>"
        + sentences.joined() + "</article></body></html>"
}
