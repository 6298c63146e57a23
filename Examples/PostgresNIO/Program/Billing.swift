import Foundation
import Logging
import PostgresNIOShape
import ServiceLifecycle
import Tenure
import TenureWorker
import UnixSignals

// Both libraries have a type of this name.
private typealias Ledger = PostgresNIOShape.PostgresClient

/// A program whose ledger is PostgresNIO's: invoices are written by its transactions, and jobs
/// come and end in them.
///
///     postgresnio-example bill 7      an invoice and its job, in one transaction
///     postgresnio-example worker      sends what was billed, until SIGTERM
@main
struct Billing {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let logger = Logger(label: "billing")
        do { try await run(Array(CommandLine.arguments.dropFirst()), logger) } catch {
            logger.critical("can't go on", metadata: ["error": "\(error)"])
            exit(1)
        }
    }

    private static func run(_ words: [String], _ logger: Logger) async throws {
        // Both find the database by libpq's variables.
        let environment = ProcessInfo.processInfo.environment
        let ledger = Ledger(
            configuration: .init(
                host: environment["PGHOST"] ?? "127.0.0.1",
                port: environment["PGPORT"].flatMap { Int($0) } ?? 5432,
                username: environment["PGUSER"] ?? "postgres",
                password: environment["PGPASSWORD"], database: environment["PGDATABASE"],
                tls: .disable))
        let pool = PostgresPool(configuration: try PostgresConfiguration(""), logger: logger)
        try await Migrator(pool: pool).up()
        let client = TenureClient(pool: pool, logger: logger)

        switch words.first {
        case "bill":
            guard let invoice = words.dropFirst().first.flatMap({ Int($0) }) else { exit(2) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await ledger.run() }
                try await bill(invoice, ledger, client, logger)
                group.cancelAll()
            }
        case "worker":
            let worker = try Worker(pool: pool, jobs: jobs(ledger, logger), logger: logger)
            // PostgresNIO's client is a service, too, and ends after the worker.
            let services: [any Service] = [pool, ledger, worker]
            try await ServiceGroup(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
            ).run()
        default: exit(2)
        }
    }

    /// The invoice and its job, or neither.
    private static func bill(
        _ invoice: Int, _ ledger: Ledger, _ client: TenureClient, _ logger: Logger
    ) async throws {
        try await ledger.withTransaction(logger: logger) { connection in
            try await connection.query(
                "INSERT INTO invoice (id) VALUES (\(invoice))", logger: logger)
            // Last: the keys it touches stay locked until the end.
            try await client.enqueue(
                [NewJob(SendInvoice(invoice: invoice))],
                on: Lent(connection: connection, logger: logger), notify: true)
        }
    }

    private static func jobs(_ ledger: Ledger, _ logger: Logger) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(SendInvoice.self) { job, context in
            try context.checkRight()
            // The mark and the end of the run, or neither: a late one is rolled back.
            return try await ledger.withTransaction(logger: logger) { connection in
                try await connection.query(
                    "UPDATE invoice SET sent_at = now() WHERE id = \(job.invoice)", logger: logger)
                return try await context.finish(on: Lent(connection: connection, logger: logger))
            }
        }
        return jobs
    }
}

struct SendInvoice: Job {
    static let kind: JobKind = "send-invoice"
    static let options = JobOptions<Self>(
        timeout: .seconds(30), key: { .keeping("invoice-\($0.invoice)") })
    let invoice: Int
}
