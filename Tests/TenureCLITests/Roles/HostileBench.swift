import Tenure
import TestSupport

@testable import TenureCLI

/// A database with roles, a login for each, and something of others' to be had in it.
struct HostileBench: Sendable {
    let bench: RoleBench
    let logins: [ProductRole: PostgresConnection]
    /// Whose connection may be ended.
    let victim: PostgresConnection
    private let owner: String
    private let database: String
    private let victimID: String

    init() async throws {
        bench = try await RoleBench()
        let owner = bench.connection
        var logins: [ProductRole: PostgresConnection] = [:]
        for role in ProductRole.allCases {
            let name = "\(bench.names[role])_login"
            try await owner.simple(
                "CREATE ROLE \"\(name)\" LOGIN IN ROLE \(bench.names.quoted(role))")
            logins[role] = try await PostgresConnection.connect(
                try PostgresConfiguration("\(bench.fixture.conninfo) user=\(name)"))
        }
        self.logins = logins
        var configuration = try PostgresConfiguration(bench.fixture.conninfo)
        configuration.applicationName = "victim"
        victim = try await PostgresConnection.connect(configuration)
        victimID = try await victim.query("SELECT pg_backend_pid()::text") {
            try $0.decode(0, as: String.self)
        }[0]
        (self.owner, database) = try await owner.query(
            "SELECT quote_ident(current_user), quote_ident(current_database())"
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: String.self)) }[0]
        try await owner.simple(Self.others)
    }

    /// A job of each state, and what is written of them.
    private static let others = """
        SELECT tenure.open_session('worker', 'w', '1', '1 h', '{default}', '{k}');
        INSERT INTO tenure.job (id, run_at, state, kind, queue, key, generation, payload)
        VALUES ('\(HostileStatement.pending)', now(), 'available', 'k', 'default', 'a', 1,
                '{"card": 4711}');
        INSERT INTO tenure.job (
            id, run_at, state, kind, queue, payload, session_id, fence, attempt, runs)
        VALUES ('\(HostileStatement.running)', now(), 'running', 'k', 'default', '{}', 1, 77, 1, 1);
        INSERT INTO tenure.subject (kind, key, issued) VALUES ('k', 'a', 1);
        INSERT INTO tenure.subject_lock (kind, key) VALUES ('k', 'a');
        INSERT INTO tenure.batch (id, is_whole) VALUES ('\(HostileStatement.batch)', true);
        INSERT INTO tenure.queue (name) VALUES ('default');
        INSERT INTO tenure.job_history (
            id, run_at, created_at, outcome, attempt, max_attempts, runs, payload_version,
            priority, kind, queue, payload, result)
        VALUES ('\(HostileStatement.ended)', now(), now(), 'completed', 1, 1, 1, 1, 5, 'k',
                'default', '{}', '{"card": 4711}');
        """

    private func text(of statement: HostileStatement) -> String {
        statement.sql.replacing("OWNER_NAME", with: owner)
            .replacing("DATABASE_NAME", with: database).replacing("VICTIM", with: victimID)
    }

    /// In a transaction that is undone.
    func tried(_ statement: HostileStatement, by role: ProductRole?) async throws -> PostgresError?
    {
        let connection = role.flatMap { logins[$0] } ?? bench.connection
        do {
            try await connection.simple("BEGIN; \(text(of: statement)); ROLLBACK")
            return nil
        } catch let error as PostgresError {
            if !connection.isClosed { try await connection.simple("ROLLBACK") }
            return error
        }
    }
}
