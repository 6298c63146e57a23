import Content
import HTTPTransport
import Logging
import Tenure
import TenureCLI
import TenureFoundation
import TenureWorker
import TestSupport

/// A database of the test's own with both schemas, and workers to order.
struct ContentFixture {
    let conninfo: String
    let pool: PostgresPool
    let client: TenureClient
    let logger: Logger

    init(_ label: String) async throws {
        var logger = Logger(label: label)
        logger.logLevel = .critical
        self.logger = logger
        conninfo = try await TestPostgres.shared().makeDatabase(like: "content", Self.migrate)
        pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), acquireDeadline: .seconds(60),
            logger: logger)
        client = TenureClient(pool: pool, logger: logger)
    }

    private static func migrate(_ conninfo: String) async throws {
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 1)
        try await Migrator(pool: pool).up()
        try await Migrator(pool: pool, .content).up()
        await pool.close()
    }

    var check: SiteCheck { SiteCheck(pool: pool, client: client) }

    /// Makes a host one of the operator's own.
    func own(_ host: String) async throws {
        try await Hosts(client: client, pool: pool).set(
            host, maxRunning: nil, minInterval: nil, isOwn: true, by: "ada")
    }

    /// Runs workers while `body` runs, then shuts them down without grace.
    func withWorkers<Result: Sendable>(
        _ count: Int = 1, slots: Int = 6, configuration: ContentConfiguration = .init(),
        transport: (any HTTPTransport)? = nil, logger: Logger? = nil,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let worker = try worker(slots, configuration, transport, logger ?? self.logger)
                group.addTask { try await worker.run() }
            }
            let result = try await body()
            group.cancelAll()
            try await group.waitForAll()
            return result
        }
    }

    private func worker(
        _ slots: Int, _ content: ContentConfiguration,
        _ transport: (any HTTPTransport)?, _ logger: Logger
    ) throws -> Worker {
        var jobs = JobRegistry()
        ContentJobs(pool: pool, configuration: content) {
            try transport ?? ContentJobs.curl(content)
        }.register(in: &jobs)
        var configuration = WorkerConfiguration()
        configuration.queues = [.default: slots]
        configuration.lease = .seconds(5)
        configuration.pollInterval = .milliseconds(50)
        return try Worker(pool: pool, jobs: jobs, configuration: configuration, logger: logger)
    }

    /// Workers that may check what this machine serves, as those of `tenure check FOLDER` may.
    static var servesFolders: ContentConfiguration {
        get throws {
            var configuration = ContentConfiguration()
            try configuration.allowSites(["127.0.0.1"])
            return configuration
        }
    }

    /// Checks a folder from beginning to end.
    func checkFolder(
        _ path: String, workers: Int = 1, _ options: SiteCheckOptions = SiteCheckOptions()
    ) async throws -> CheckReport {
        let folder = try SiteFolder(path)
        return try await FolderServer(folder).serve { url in
            try await withWorkers(workers, configuration: try Self.servesFolders) {
                let run = try await check.start(folder: folder, servedAt: url, options)
                _ = try await check.wait(run, every: .milliseconds(50))
                return try await check.report(run)
            }
        }
    }
}

extension CheckReport {
    /// One line for each finding: its code, its file or URL, and where it stands.
    var lines: [String] {
        findings.map { finding in
            let fragment = finding.fragment.map { "#\($0)" } ?? ""
            let places = finding.places.map { "\($0.file ?? $0.page):\($0.line):\($0.column)" }
            return "\(finding.code) \(finding.file ?? finding.target)\(fragment) at "
                + places.joined(separator: " ")
        }.sorted()
    }
}

/// The repository's own demonstration site.
let demoSite = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Site").path()
