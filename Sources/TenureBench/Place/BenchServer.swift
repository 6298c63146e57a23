import EmbeddedPostgres
import Tenure
import TenureCLI
import TenureFoundation
import TenureSystem

/// The server the benchmark works on: the configured one, or a private one for as long as it runs.
enum BenchServer {
    /// So that no checkpoint falls into one run and not into the next.
    private static let settings = [
        "shared_buffers": "512MB", "max_wal_size": "8GB", "checkpoint_timeout": "30min",
    ]

    private static func requireNoPooler(_ configuration: PostgresConfiguration) async throws {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        if connection.isPooled {
            throw Failure("the benchmark needs a direct connection, and a pooler is in between")
        }
    }

    static func with<Result: Sendable>(
        _ settings: Settings, _ body: @Sendable (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        guard settings.pooler != true else {
            throw Failure("the benchmark needs a direct connection: leave out --pooler")
        }
        if let url = settings.databaseURL {
            let configuration = try PostgresConfiguration(url)
            try await requireNoPooler(configuration)
            return try await body(configuration)
        }
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        Terminal.error("no database is configured: a private PostgreSQL is started")
        let server = try await EmbeddedPostgres.start(
            .init(
                folder: "\(folder)/tenure-bench-\(name)", settings: Self.settings,
                profile: .durable, isTemporary: true))
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body(PostgresConfiguration(server.conninfo)))
        } catch {
            outcome = .failure(error)
        }
        let failure = await withoutCancellation { () -> (any Error)? in
            do {
                try await server.stop()
                return nil
            } catch {
                return error
            }
        }
        if let failure { Terminal.error("tenure: \(ErrorLine.text(failure))") }
        return try outcome.get()
    }
}
