import Synchronization
import Tenure
import TenureFoundation
import TenureTestKit
import TenureWorker
import TestSupport
import Testing

/// What the README's example sends with.
final class Mailer: Sendable {
    let sent = Mutex<[Int: String]>([:])
    func send(_ invoice: Int, idempotencyKey: String) async throws {
        sent.withLock { $0[invoice] = idempotencyKey }
    }
}

@Suite struct ReadmeTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the README shows the example that is compiled here`() throws {
        let example = try String(
            contentsOf: root.appending(path: "Tests/ReadmeTests/Invoices.swift"), encoding: .utf8)
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("```swift\n\(example)```"))
    }

    /// `bin/test examples manifests` builds it.
    @Test func `the README's first manifest is that of the example`() throws {
        let page = try String(
            contentsOf: root.appending(path: "Examples/First/README.md"), encoding: .utf8)
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let manifest = try #require(page.firstMatch(of: #/```swift\n(?<text>(?:.*\n)*?)```/#))
        #expect(readme.contains("```swift Package.swift\n\(manifest.output.text)```"))
    }

    @Test(arguments: ["InvoiceExample", "TimeExample", "DatabaseExample"])
    func `the page on tests shows the examples that are compiled here`(name: String) throws {
        let example = try String(
            contentsOf: root.appending(path: "Tests/ReadmeTests/\(name).swift"), encoding: .utf8)
        let page = try String(
            contentsOf: root.appending(path: "docs/testing.md"), encoding: .utf8)
        #expect(page.contains("```swift\n\(example)```"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `the examples of the page on tests pass`() async throws {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await Migrator(pool: pool).up()
        try await stopsWhenItTakesTooLong()
        try await remindsOnceAWeek(pool)
        var orders = JobRegistry()
        registerOrders(&orders)
        try await completesOnceItIsApproved(TestQueue(pool: pool, jobs: orders))
        try await dropsLateOffers(TestQueue(pool: pool, jobs: orders))
        try await sendsAnInvoice()
        try await sendsAnInvoiceByAWorker()
    }

    @Test func `the example bills, sends and marks an invoice`() async throws {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await Migrator(pool: pool).up()
        try await pool.simple("CREATE TABLE invoice (id bigint PRIMARY KEY, sent_at timestamptz)")
        let mailer = Mailer()
        try await bill(7, TenureClient(pool: pool), pool)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work(pool, mailer) }
            var isSent = false
            while !isSent {
                try await Task.sleep(for: .milliseconds(20))
                isSent = try await pool.query("SELECT sent_at IS NOT NULL FROM invoice") {
                    try $0.decode(0, as: Bool.self)
                }[0]
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(mailer.sent.withLock { $0.count } == 1)
    }

    @Test func `the example sends many invoices, and marks them together`() async throws {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await Migrator(pool: pool).up()
        try await pool.simple("CREATE TABLE invoice (id bigint PRIMARY KEY, sent_at timestamptz)")
        var jobs = JobRegistry()
        register(&jobs, Mailer())
        for invoice in 1...5 { try await bill(invoice, TenureClient(pool: pool), pool) }
        let worker = try Worker(pool: pool, jobs: jobs)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            var sent: Int64 = 0
            while sent < 5 {
                try await Task.sleep(for: .milliseconds(20))
                sent = try await pool.query("SELECT count(sent_at) FROM invoice") {
                    try $0.decode(0, as: Int64.self)
                }[0]
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
