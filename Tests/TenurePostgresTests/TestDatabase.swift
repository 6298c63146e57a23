import Glibc
import TenurePostgres

/// The database the tests run against.
enum TestDatabase {
    /// Fails loudly where there is none: a test that doesn't run proves nothing.
    static func conninfo() throws -> String {
        guard let conninfo = getenv("TENURE_TEST_DATABASE") else {
            throw PostgresError(
                .invalidConfiguration, "TENURE_TEST_DATABASE isn't set",
                hint: "Set it to the connection string of a PostgreSQL for tests")
        }
        return String(cString: conninfo)
    }

    static func configuration() throws -> PostgresConfiguration {
        try PostgresConfiguration(try conninfo())
    }

    static func connection() async throws -> PostgresConnection {
        try await PostgresConnection.connect(try configuration())
    }
}

extension TestDatabase {
    static func pool(size: Int = 4, acquireDeadline: Duration = .seconds(30)) throws -> PostgresPool
    {
        PostgresPool(
            configuration: try configuration(), size: size, acquireDeadline: acquireDeadline)
    }

    /// A proxy in front of the database, and how to connect through it.
    static func proxied() async throws -> (TestProxy, PostgresConfiguration) {
        let connection = try await connection()
        defer { connection.close() }
        let port = try await connection.query("SELECT inet_server_port()") {
            try $0.decode(0, as: Int.self)
        }
        let proxy = try TestProxy(to: UInt16(port[0]))
        let conninfo = "\(try conninfo()) host=127.0.0.1 port=\(proxy.port) sslmode=disable"
        return (proxy, try PostgresConfiguration(conninfo))
    }
}
