import TenurePostgres
import TestSupport
import Testing

/// What an administrator has set for a login, and nobody at the program thinks of.
@Suite struct LoginSettingTests {
    private func failure(
        under settings: String, _ body: (PostgresConnection) async throws -> Void = { _ in }
    ) async throws -> PostgresError? {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let configuration = try PostgresConfiguration(conninfo)
        let first = try await PostgresConnection.connect(configuration)
        let name = try await first.query("SELECT current_database()") {
            try $0.decode(0, as: String.self)
        }[0]
        try await first.simple("CREATE SCHEMA other; ALTER DATABASE \(name) SET \(settings)")
        first.close()
        do {
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            try await body(connection)
            return nil
        } catch let error as PostgresError {
            return error
        }
    }

    @Test func `A schema in front of the system's own is refused at the connect`() async throws {
        let error = try await failure(under: "search_path = other, pg_catalog")
        #expect(error?.code == .invalidConfiguration && error?.isTransient == false)
        #expect(error?.description.contains("the schema other before pg_catalog") == true)
        for harmless in ["other", "''", "pg_catalog, other", "nowhere, pg_catalog", "pg_temp"] {
            #expect(try await failure(under: "search_path = \(harmless)") == nil, "\(harmless)")
        }
    }

    @Test func `What refuses to write names the setting`() async throws {
        let error = try await failure(under: "default_transaction_read_only = on") {
            try await $0.query("CREATE TABLE t ()")
        }
        #expect(error?.sqlState == "25006")
        #expect(error?.description.contains("is default_transaction_read_only on") == true)
    }

    @Test func `What ends a statement early names the setting`() async throws {
        let error = try await failure(under: "statement_timeout = 50") {
            try await $0.query("SELECT pg_sleep(10)")
        }
        #expect(error?.sqlState == "57014")
        #expect(error?.description.contains("statement_timeout of this role") == true)
    }

    /// PostgreSQL has the setting from 17 on, and ends the connection.
    @Test func `What ends a transaction early names the setting`() async throws {
        let shared = try await TestPostgres.shared()
        guard let version = Int(try await shared.psql("SHOW server_version_num")),
            version >= 170_000
        else { return }
        let error = try await failure(under: "transaction_timeout = 50") {
            try await $0.query("SELECT pg_sleep(10)")
        }
        #expect(error?.sqlState == "25P04" && error?.isTransient == true)
        #expect(error?.description.contains("transaction_timeout of this role") == true)
    }
}
