import EmbeddedPostgres
import Glibc
import Testing

@Suite struct EmbeddedPostgresTests {
    @Test func startsDurableOnASocketAlone() async throws {
        let postgres = try await EmbeddedPostgres.start(.temporary())
        let settings = try await postgres.psql(
            "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', "
                + "'full_page_writes', 'listen_addresses', 'data_checksums') ORDER BY name")
        #expect(
            settings == """
                data_checksums|on
                fsync|on
                full_page_writes|on
                listen_addresses|
                synchronous_commit|on
                """)
        #expect(try await postgres.psql("SELECT datcollate FROM pg_database WHERE datname = "
            + "current_database()") == "C.UTF-8")
        try await postgres.stop()
    }

    @Test func keepsItsDataOverKillAndRestart() async throws {
        let postgres = try await EmbeddedPostgres.start(.temporary())
        try await postgres.psql("CREATE TABLE kept AS SELECT 42 AS answer")
        postgres.kill()
        await #expect(throws: EmbeddedPostgresError.self) { try await postgres.psql("SELECT 1") }
        try await postgres.restart()
        #expect(try await postgres.psql("SELECT answer FROM kept") == "42")
        try await postgres.restart()
        #expect(try await postgres.psql("SELECT answer FROM kept") == "42")
        try await postgres.stop()
    }

    @Test func stopRemovesATemporaryFolderAndStoppingTwiceIsNothing() async throws {
        let configuration = EmbeddedPostgresConfiguration.temporary()
        let postgres = try await EmbeddedPostgres.start(configuration)
        #expect(access(configuration.folder, F_OK) == 0)
        try await postgres.stop()
        #expect(access(configuration.folder, F_OK) == -1)
        try await postgres.stop()
    }

    @Test func stopAfterKillRemovesATemporaryFolder() async throws {
        let configuration = EmbeddedPostgresConfiguration.temporary()
        let postgres = try await EmbeddedPostgres.start(configuration)
        postgres.kill()
        try await postgres.stop()
        #expect(access(configuration.folder, F_OK) == -1)
    }
}
