import Foundation
import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

/// The programs of docs/other-drivers, run as they stand on the page.
@Suite(.timeLimit(.minutes(3))) struct OtherDriverTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/other-drivers")

    @Test(arguments: ["enqueue.py", "finish.py", "enqueue.sql", "finish.sql"])
    func `the page shows the programs that run here`(_ name: String) throws {
        let program = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let page = try String(
            contentsOf: Self.folder.appendingPathExtension("md"), encoding: .utf8)
        let language = name.hasSuffix(".py") ? "python" : "sql"
        #expect(page.contains("```\(language)\n\(program)```"))
    }

    @Test func `the page's table has the function's parameters, in its order, with its defaults`()
        async throws
    {
        let page = try String(
            contentsOf: Self.folder.appendingPathExtension("md"), encoding: .utf8)
        let table = try #require(page.components(separatedBy: "| parameter |").dropFirst().first)
        let rows = table.components(separatedBy: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
            .map { row in
                row.components(separatedBy: "|").dropFirst()
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
        let shop = try await Shop()
        let parameters = try await shop.pool.query(
            """
            SELECT a.name, coalesce(pg_get_function_arg_default(p.oid, a.n::integer), 'none')
            FROM pg_proc p, unnest(p.proargnames, p.proargmodes) WITH ORDINALITY
                 AS a (name, mode, n)
            WHERE p.oid = 'tenure.enqueue'::regproc AND a.mode = 'i' ORDER BY a.n
            """
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: String.self)) }
        #expect(rows.map(\.first) == parameters.map { "`\($0.0)`" })
        for (row, (name, value)) in zip(rows, parameters)
        where value != "none" && !value.hasPrefix("NULL") {
            let literal = value.prefix { $0 != ":" }.filter { $0 != "'" }
            #expect(
                row.dropFirst(2).first?.contains(literal) == true,
                "\(name) is \(literal) when it is left out")
        }
    }

    @Test(arguments: Driver.installed)
    fileprivate func `the invoice's job starts at once`(_ driver: Driver) async throws {
        let shop = try await Shop()
        let asked = Mutex<ContinuousClock.Instant?>(nil)
        try await shop.work { _ in
            .completed
        } until: {
            if asked.withLock({ $0 }) == nil {
                // The worker listens, and looks by itself every 30 seconds.
                guard try await shop.count(Shop.listening) == 1 else { return false }
                asked.withLock { $0 = .now }
                #expect(try await driver.bill(7, shop) == 0)
                try await shop.pool.simple(
                    """
                    SELECT tenure.enqueue('send-invoice', '{"invoice": 8}')
                    """)
            }
            return try await shop.count("tenure.job_history") == 2
        }
        let took = try #require(asked.withLock { $0 }).duration(to: .now)
        #expect(took < .seconds(15))
    }

    @Test(arguments: Driver.installed)
    fileprivate func `the invoice and its job are there, or neither`(_ driver: Driver) async throws
    {
        let shop = try await Shop()
        #expect(try await driver.bill(7, shop) == 0)
        #expect(try await shop.count("tenure.job WHERE key = 'invoice-7'") == 1)

        // The check of a deferred constraint fails at COMMIT: the job of this transaction had
        // superseded the first one by then.
        #expect(try await driver.bill(7, shop) != 0)
        #expect(try await shop.count("invoice") == 1)
        #expect(try await shop.count("tenure.job WHERE state = 'available'") == 1)
        #expect(try await shop.count("tenure.job_history") == 0)
        let standing = "tenure.job j JOIN tenure.subject s USING (key) WHERE floor <= generation"
        #expect(try await shop.count(standing) == 1)
    }

    @Test(arguments: Driver.installed)
    fileprivate func `a run ends with another program's transaction`(_ driver: Driver) async throws
    {
        let shop = try await Shop()
        try await shop.pool.query("INSERT INTO invoice VALUES (7)")
        try await shop.client.enqueue(SendInvoice(invoice: 7), .superseding("invoice-7"))
        try await shop.work { context in
            let code = try await driver.markSent(7, context.jobID, context.fence, shop)
            #expect(code == 0)
            return try await context.finishedElsewhere()
        } until: {
            try await shop.count("tenure.job_history WHERE outcome = 'completed'") == 1
        }
        #expect(try await shop.count("invoice WHERE sent_at IS NOT NULL") == 1)
        #expect(try await shop.count("tenure.attempt_error") == 0)
    }

    @Test(arguments: Driver.installed)
    fileprivate func `a late finish changes nothing`(_ driver: Driver) async throws {
        let shop = try await Shop()
        try await shop.pool.query("INSERT INTO invoice VALUES (7)")
        try await shop.client.enqueue(SendInvoice(invoice: 7), .superseding("invoice-7"))
        let run = Mutex<(job: JobID, fence: Fence)?>(nil)
        let code = Mutex<Int32?>(nil)
        try await shop.work { context in
            run.withLock { $0 = (context.jobID, context.fence) }
            try await Task.sleep(for: .seconds(3600))
            return .completed
        } until: {
            guard let (job, fence) = run.withLock({ $0 }) else { return false }
            var later = EnqueueOptions()
            later.runTime = .after(.seconds(3600))
            try await shop.client.enqueue(
                SendInvoice(invoice: 7), .superseding("invoice-7"), options: later)
            let ended = try await driver.markSent(7, job, fence, shop)
            code.withLock { $0 = ended }
            return true
        }
        #expect(code.withLock { $0 } == 3)
        #expect(try await shop.count("invoice WHERE sent_at IS NOT NULL") == 0)
        #expect(try await shop.count("tenure.job_history WHERE outcome = 'completed'") == 0)
    }

    @Test func `a run that has lost its place meanwhile is late, and no failure`() async throws {
        let shop = try await Shop()
        try await shop.client.enqueue(SendInvoice(invoice: 7))
        let late = Mutex(0)
        try await shop.work { context in
            if context.runs > 1 { return .completed }
            try await shop.pool.query(
                """
                SELECT tenure.end_runs(ARRAY[($1, $2, 'reclaimed', NULL, NULL, NULL,
                    'worker_died', 'gone', NULL, NULL)::tenure.ending], true)
                """, [context.jobID.uuid, context.fence.rawValue])
            do {
                return try await context.finishedElsewhere()
            } catch let error as LateResult {
                late.withLock { $0 += 1 }
                throw error
            }
        } until: {
            try await shop.count("tenure.job_history WHERE outcome = 'completed'") == 1
        }
        #expect(late.withLock { $0 } == 1)
        #expect(try await shop.count("tenure.attempt_error WHERE code <> 'worker_died'") == 0)
    }

    @Test func `a run that nobody has ended is a failed attempt`() async throws {
        let shop = try await Shop()
        try await shop.client.enqueue(SendInvoice(invoice: 7))
        try await shop.work { context in
            try await context.finishedElsewhere()
        } until: {
            try await shop.count(
                "tenure.attempt_error WHERE message LIKE 'nobody has ended this run%'") == 1
        }
    }
}

/// A database with a ledger in it, whose constraint is checked at COMMIT.
private struct Shop {
    let conninfo: String
    let pool: PostgresPool
    let client: TenureClient

    init() async throws {
        conninfo = try await TestPostgres.shared().makeDatabase()
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        client = TenureClient(pool: pool)
        try await Migrator(pool: pool).up()
        try await pool.simple(
            """
            CREATE TABLE invoice (id bigint, sent_at timestamptz,
                                  UNIQUE (id) DEFERRABLE INITIALLY DEFERRED)
            """)
    }

    static let listening =
        "pg_stat_activity WHERE datname = current_database() "
        + "AND query LIKE 'LISTEN %'"

    func count(_ rows: String) async throws -> Int64 {
        try await pool.query("SELECT count(*) FROM \(rows)") { try $0.decode(0, as: Int64.self) }[0]
    }

    func work(
        _ handler: @escaping @Sendable (JobContext) async throws -> JobOutcome,
        until isDone: @escaping @Sendable () async throws -> Bool
    ) async throws {
        var jobs = JobRegistry()
        jobs.handle(SendInvoice.self) { _, context in try await handler(context) }
        let worker = try Worker(pool: pool, jobs: jobs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            while try await !isDone() { try await Task.sleep(for: .milliseconds(20)) }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}

/// A program of the page in one of its languages.
private enum Driver: String, CaseIterable, Sendable {
    case psycopg, psql

    /// psycopg is where `bin/setup --tests` has put it.
    private static let python: String = {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { $0 + "/.cache" }
        return (cache ?? "") + "/tenure/psycopg-3.3.9/bin/python"
    }()

    static var installed: [Driver] {
        if FileManager.default.isExecutableFile(atPath: python) { return allCases }
        print("psycopg is missing, its programs are not tested: bin/setup --tests")
        return [.psql]
    }

    func bill(_ invoice: Int, _ shop: Shop) async throws -> Int32 {
        switch self {
        case .psycopg: try await run(Self.python, ["enqueue.py", shop.conninfo, "\(invoice)"])
        case .psql: try await script("enqueue.sql", ["invoice": "\(invoice)"], shop)
        }
    }

    func markSent(_ invoice: Int, _ job: JobID, _ fence: Fence, _ shop: Shop) async throws -> Int32
    {
        switch self {
        case .psycopg:
            try await run(
                Self.python,
                ["finish.py", shop.conninfo, "\(job)", "\(fence)", "\(invoice)"])
        case .psql:
            try await script(
                "finish.sql", ["job": "\(job)", "fence": "\(fence)", "invoice": "\(invoice)"], shop)
        }
    }

    private func script(_ name: String, _ values: [String: String], _ shop: Shop) async throws
        -> Int32
    {
        let settings = values.flatMap { ["--set", "\($0.key)=\($0.value)"] }
        return try await run(
            "/usr/bin/env",
            ["psql", "-X", "-q", "-d", shop.conninfo] + settings + ["--file", name])
    }

    /// Runs a program in the folder of the page and returns its exit code.
    private func run(_ program: String, _ arguments: [String]) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/other-drivers")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
