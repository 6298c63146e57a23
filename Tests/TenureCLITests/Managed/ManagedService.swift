import EmbeddedPostgres
import Foundation
import Tenure
import TestSupport

@testable import TenureCLI

/// A PostgreSQL as somebody else runs it: the user that one is given is no superuser, belongs to
/// none of the server's own roles, may make roles and databases, and gets in encrypted or not at
/// all, over one of the few connections that there are.
final class ManagedService: Sendable {
    static let owner = "app_owner"
    /// For everybody: what a login may do doesn't hang on it.
    private static let password = "s3cret-enough"
    static let connections = 20
    static let reserved = 3

    let server: EmbeddedPostgres
    /// False where the server was built without TLS: its connections are plain then.
    let isEncrypted: Bool
    private let address: String

    init() async throws {
        let port = Int.random(in: 20_000...30_000)
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.port = port
        configuration.settings = [
            "max_connections": "\(Self.connections)",
            "superuser_reserved_connections": "\(Self.reserved)",
        ]
        server = try await EmbeddedPostgres.start(configuration)
        let built = try await server.psql(
            "SELECT setting ~ 'openssl' FROM pg_config WHERE name = 'CONFIGURE'")
        isEncrypted = built == "t"
        let security =
            isEncrypted
            ? "sslmode=verify-full sslrootcert='\(server.dataPath)/server.crt'" : "sslmode=disable"
        address = "host=localhost hostaddr=127.0.0.1 port=\(port) \(security)"
        try await shut()
        try await server.psql(
            "CREATE ROLE \(Self.owner) LOGIN CREATEROLE CREATEDB PASSWORD '\(Self.password)'")
    }

    /// Encrypts what comes over the network and lets nothing else in.
    private func shut() async throws {
        let way = isEncrypted ? "hostssl" : "host"
        try "local all all trust\n\(way) all all 127.0.0.1/32 scram-sha-256\n"
            .write(toFile: "\(server.dataPath)/pg_hba.conf", atomically: false, encoding: .utf8)
        if isEncrypted {
            let said = try await output(of: "/bin/sh", "-c", Self.certifying, server.dataPath)
            if !said.hasSuffix("done\n") { throw NeverHappened(what: "a certificate: \(said)") }
            try await server.psql("ALTER SYSTEM SET ssl = on")
        }
        try await server.restart()
    }

    private static let certifying = """
        cd "$0" && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
            -addext subjectAltName=DNS:localhost -keyout server.key -out server.crt &&
            chown --reference=. server.key server.crt && chmod 600 server.key && echo done
        """

    func conninfo(_ login: String, database: String, plain: Bool = false) -> String {
        "\(address) user=\(login) password=\(Self.password) dbname=\(database)"
            + (plain ? " sslmode=disable" : "")
    }

    /// Makes a database as its owner does, and gives it back to nobody.
    func makeDatabase(_ name: String, for login: String = ManagedService.owner) async throws {
        let connection = try await connect(login, database: "postgres")
        defer { connection.close() }
        try await connection.simple("CREATE DATABASE \(name)")
    }

    func connect(_ login: String, database: String) async throws -> PostgresConnection {
        try await PostgresConnection.connect(
            try PostgresConfiguration(conninfo(login, database: database)))
    }

    /// What a login with a part is made with.
    static func makes(_ login: String, in role: String) -> String {
        "CREATE ROLE \(login) LOGIN PASSWORD '\(password)' IN ROLE \(role)"
    }

    static func makes(_ login: String, _ attributes: String) -> String {
        "CREATE ROLE \(login) LOGIN \(attributes) PASSWORD '\(password)'"
    }
}
