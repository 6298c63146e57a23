import Glibc
import TenurePostgres

/// The database the tests run against.
enum TestDatabase {
    /// Fails loudly where there is none: a test that doesn't run proves nothing.
    static func configuration() throws -> PostgresConfiguration {
        guard let conninfo = getenv("TENURE_TEST_DATABASE") else {
            throw PostgresError(
                .invalidConfiguration, "TENURE_TEST_DATABASE isn't set",
                hint: "Set it to the connection string of a PostgreSQL for tests")
        }
        return try PostgresConfiguration(String(cString: conninfo))
    }

    static func connection() async throws -> PostgresConnection {
        try await PostgresConnection.connect(try configuration())
    }
}
