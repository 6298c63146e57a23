import EmbeddedPostgres
import Foundation
import TenureSystem
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
        #expect(try await postgres.psql("SHOW lc_collate") == "C.UTF-8")
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

    @Test func aLongFolderGetsItsSocketElsewhereAndKillDoesNotChangeThat() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        let base = configuration.folder
        configuration.folder += String(repeating: "/a-rather-long-name", count: 6)
        let postgres = try await EmbeddedPostgres.start(configuration)
        #expect(!postgres.conninfo.contains("a-rather-long-name"))
        postgres.kill()
        try await postgres.restart()
        #expect(try await postgres.psql("SELECT 1") == "1")
        try await postgres.stop()
        try FileManager.default.removeItem(atPath: base)
    }

    @Test func aFolderThatTheServersUserCannotReachIsALinkToOneThatItCan() async throws {
        guard geteuid() == 0 else { return }
        var configuration = EmbeddedPostgresConfiguration.temporary()
        let closed = configuration.folder
        mkdir(closed, 0o700)
        configuration.folder += "/postgres"
        configuration.isTemporary = false
        let first = try await EmbeddedPostgres.start(configuration)
        try await first.psql("CREATE TABLE kept AS SELECT 42 AS answer")
        try await first.stop()
        configuration.isTemporary = true
        let second = try await EmbeddedPostgres.start(configuration)
        #expect(try await second.psql("SELECT answer FROM kept") == "42")
        try await second.stop()
        unlink(configuration.folder)
        rmdir(closed)
    }

    @Test func aLoopbackPortAsksForThePassword() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.port = 54_321
        let postgres = try await EmbeddedPostgres.start(configuration)
        let loopback = "host=127.0.0.1 port=54321 user=tenure dbname=tenure"
        await #expect(throws: EmbeddedPostgresError.self) {
            try await Psql(loopback + " password=wrong").run(["SELECT 1"])
        }
        let file = "\(configuration.folder)/password"
        let password = try String(contentsOfFile: file, encoding: .utf8).dropLast()
        let psql = try await Psql(loopback + " password=\(password)")
        #expect(try await psql.run(["SELECT 1"]) == "1")
        try await postgres.stop()
    }

    @Test func aStartThatFailsSaysWhatTheServerSaid() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.settings = ["no_such_setting": "1"]
        let error = await #expect(throws: EmbeddedPostgresError.self) {
            try await EmbeddedPostgres.start(configuration)
        }
        #expect(error?.code == .startFailed)
        #expect(error?.output?.contains("no_such_setting") == true)
        #expect(access(configuration.folder, F_OK) == -1)
    }
}
