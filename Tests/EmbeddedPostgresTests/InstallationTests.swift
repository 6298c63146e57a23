import Testing

@testable import EmbeddedPostgres

@Suite struct InstallationTests {
    @Test(arguments: [
        ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", 15),
        ("postgres (PostgreSQL) 9.6.24", 9), ("postgres (PostgreSQL) 18beta1", 18),
    ])
    func readsTheMajorVersion(text: String, major: Int) {
        #expect(PostgresInstallation.major(inVersion: text) == major)
    }

    @Test func findsAnInstallationWithAllPrograms() throws {
        let found = try PostgresInstallation.find()
        #expect(found.major >= PostgresInstallation.oldestMajor)
    }

    @Test func quotesSettings() {
        let configuration = EmbeddedPostgresConfiguration(settings: ["cluster_name": #"it's \"#])
        let text = ServerSettings(configuration, sockets: "/run", port: 5432).text
        #expect(text.contains(#"cluster_name = 'it''s \\'"#))
        #expect(text.contains("unix_socket_directories = '\"/run\"'"))
    }
}
