import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// A database with workers, and a server with one file.
struct FileFixture {
    let content: ContentFixture
    let server: FileServer

    init(_ behaviour: FileServer.Behaviour) async throws {
        content = try await ContentFixture("file")
        server = try FileServer(behaviour)
    }

    var items: Items { Items(pool: content.pool) }
    private var inspector: Inspector { Inspector(pool: content.pool) }

    /// The file's fetch, from its enqueue to its end.
    @discardableResult
    func fetch(
        force: Bool = false, attempts: Int = 3, limits: FetchLimits? = nil,
        _ change: (inout ContentConfiguration) -> Void = { _ in }
    ) async throws -> JobDetail {
        var configuration = ContentConfiguration()
        try configuration.allow(["127.0.0.1"])
        configuration.hostInterval = .zero
        change(&configuration)
        let job = try await content.withWorkers(configuration: configuration) {
            let job = try await enqueue(force: force, attempts: attempts, limits: limits)
            _ = try await finished(job)
            return job
        }
        // Again, now that the worker's last beat has brought what it said last.
        return try await finished(job)
    }

    func enqueue(
        force: Bool = false, attempts: Int = 3, limits: FetchLimits? = nil
    ) async throws -> JobID {
        var fetch = ContentFetch(url: server.url, mode: .file, force: force)
        fetch.limits = limits
        var unpaced = ContentConfiguration()
        unpaced.hostInterval = .zero
        var options = fetch.options(unpaced)
        options.maxAttempts = attempts
        return try await content.client.enqueue(fetch, .keeping(fetch.key), options: options).id
    }

    func finished(_ job: JobID) async throws -> JobDetail {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if let detail = try await inspector.job(job), detail.summary.status.isFinished {
                return detail
            }
            // A failed attempt's pause is for hosts, not for tests.
            let hurried = try await content.pool.query(
                """
                UPDATE tenure.job SET run_at = clock_timestamp()
                WHERE state = 'retryable' AND run_at > clock_timestamp()
                """)
            if hurried > 0 {
                try await content.pool.query(
                    "SELECT tenure.call_lanes(array(SELECT id FROM tenure.job))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverFinished(job: job)
    }

    /// Reads what is kept, and says where it differs.
    func expectKept(
        _ file: TestFile, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let kept = try #require(
            try await items.file(.url(server.url)), sourceLocation: sourceLocation)
        #expect(kept.bytes == Int64(file.size), sourceLocation: sourceLocation)
        var place = 0
        for try await bytes in items.bytes(of: kept) {
            // Not inside `#expect`, which would print mebibytes.
            let isRight = bytes == file.bytes(place..<place + bytes.count)
            #expect(isRight, "from \(place) on", sourceLocation: sourceLocation)
            place += bytes.count
        }
        #expect(place == file.size, sourceLocation: sourceLocation)
    }

    func value<Value: PostgresDecodable>(_ sql: String, as: Value.Type = Value.self) async throws
        -> Value
    {
        try await content.pool.query(sql) { try $0.decode(0, as: Value.self) }[0]
    }
}

struct NeverFinished: Error { let job: JobID }
