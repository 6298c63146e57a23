import TenurePostgres
import TestSupport

/// The database the tests run against: the process's private server.
enum TestDatabase {
    static func conninfo() async throws -> String { try await TestPostgres.shared().conninfo }

    static func configuration() async throws -> PostgresConfiguration {
        try PostgresConfiguration(try await conninfo())
    }

    static func connection() async throws -> PostgresConnection {
        try await PostgresConnection.connect(try await configuration())
    }

    static func pool(
        size: Int = 4, acquireDeadline: Duration = .seconds(30)
    ) async throws -> PostgresPool {
        PostgresPool(
            configuration: try await configuration(), size: size,
            acquireDeadline: acquireDeadline)
    }

    /// A proxy in front of the database, and how to connect through it.
    static func proxied() async throws -> (TestProxy, PostgresConfiguration) {
        let postgres = try await TestPostgres.shared()
        let proxy = try TestProxy(to: postgres.socketFile)
        let conninfo = "\(postgres.conninfo) host=127.0.0.1 port=\(proxy.port) sslmode=disable"
        return (proxy, try PostgresConfiguration(conninfo))
    }
}
