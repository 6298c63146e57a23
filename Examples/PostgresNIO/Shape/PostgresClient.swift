public import Logging
public import ServiceLifecycle
import TenurePostgres

/// As much of PostgresNIO 1.33's face as the program uses, on Tenure's own client of PostgreSQL:
/// the same names, and each call with the same labels. It is no part of Tenure, and nothing for a
/// program of yours.
public final class PostgresClient: Service {
    public struct Configuration: Sendable {
        public struct TLS: Sendable {
            public static let disable = TLS()
        }

        let conninfo: String

        public init(
            host: String, port: Int = 5432, username: String, password: String?,
            database: String?, tls: TLS
        ) {
            let words = [
                "host": host, "port": "\(port)", "user": username, "password": password,
                "dbname": database,
            ]
            conninfo = words.compactMap { name, value in
                value.map { "\(name)='\($0.replacing("'", with: "\\'"))'" }
            }.joined(separator: " ")
        }
    }

    private let conninfo: String

    public init(configuration: Configuration) { conninfo = configuration.conninfo }

    /// Until it is cancelled, or shut down.
    public func run() async {
        await cancelWhenGracefulShutdown {
            do { try await Task.sleep(for: .seconds(1_000_000)) } catch {}  // it was asked to end
        }
    }

    public func withTransaction<Result: Sendable>(
        logger: Logger,
        _ closure: nonisolated(nonsending) (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let own = try await TenurePostgres.PostgresConnection.connect(
            PostgresConfiguration(conninfo))
        defer { own.close() }
        let connection = PostgresConnection(own: own)
        try await connection.query("BEGIN", logger: logger)
        do {
            let result = try await closure(connection)
            try await connection.query("COMMIT", logger: logger)
            return result
        } catch {
            try await connection.query("ROLLBACK", logger: logger)
            throw error
        }
    }
}
