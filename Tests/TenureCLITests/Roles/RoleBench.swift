import Foundation
import Tenure
import TestSupport

@testable import TenureCLI

/// A migrated database with the roles in it, under names of its own: roles are the server's.
struct RoleBench: Sendable {
    let fixture: Fixture
    let names: RoleNames
    let connection: PostgresConnection

    init() async throws {
        fixture = try await Fixture()
        let prefix = "t\(UInt32.random(in: 0 ... .max))_"
        names = try RoleNames(prefix: prefix)
        connection = try await PostgresConnection.connect(
            try PostgresConfiguration(fixture.conninfo))
        let result = try await fixture.tenure.run("roles", "--apply", "--prefix", prefix)
        if result.code != 0 { throw NeverHappened(what: "roles --apply: \(result.errors)") }
    }

    /// What is granted, by name; nil: to PUBLIC.
    func granted(_ role: ProductRole?) async throws -> Set<Right> {
        let rights = try await connection.query(
            """
            WITH home AS (
                SELECT oid, nspname FROM pg_namespace WHERE nspname IN ('tenure', 'content')
            ), granted AS (
                SELECT n.nspname || '.' || c.relname AS what, ''::text AS field, a.*
                FROM home n JOIN pg_class c ON c.relnamespace = n.oid, aclexplode(c.relacl) a
                UNION ALL
                SELECT n.nspname || '.' || c.relname, t.attname::text, a.*
                FROM home n JOIN pg_class c ON c.relnamespace = n.oid
                JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
                UNION ALL
                SELECT n.nspname || '.' || p.proname, ''::text, a.*
                FROM home n JOIN pg_proc p ON p.pronamespace = n.oid,
                    aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                UNION ALL
                SELECT n.nspname::text, ''::text, a.* FROM pg_namespace n, aclexplode(n.nspacl) a
                WHERE n.oid IN (SELECT h.oid FROM home h)
            )
            SELECT g.what, g.field, g.privilege_type FROM granted g
            WHERE g.grantee = coalesce((SELECT r.oid FROM pg_roles r WHERE r.rolname = $1), 0)
            """, [role.map { names[$0] } ?? ""]
        ) { row in
            Right(
                object: try row.decode(0), verb: try row.decode(2), column: try row.decode(1))
        }
        return Set(rights)
    }

    func rights() async throws -> SQLRights {
        let tables = try await list(
            """
            SELECT n.nspname || '.' || c.relname FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('tenure', 'content') AND c.relkind::text = ANY ($1)
            """, [["r", "p", "v"]])
        let sequences = try await list(
            """
            SELECT n.nspname || '.' || c.relname FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('tenure', 'content') AND c.relkind = 'S' AND NOT EXISTS (
                SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i')
            """)
        let functions = try await connection.query(
            """
            SELECT n.nspname || '.' || p.proname, CASE WHEN p.prosecdef THEN '' ELSE p.prosrc END
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname IN ('tenure', 'content')
            """
        ) { row in (try row.decode(0, as: String.self), try row.decode(1, as: String.self)) }
        return SQLRights(
            tables: Set(tables), sequences: Set(sequences),
            functions: Dictionary(grouping: functions) { $0.0 }.mapValues { $0.map(\.1) })
    }

    private func list(
        _ sql: String, _ parameters: [any PostgresEncodable] = []
    ) async throws -> [String] {
        try await connection.query(sql, parameters) { try $0.decode(0, as: String.self) }
    }

    /// Runs a statement with parameters of the right types that mean nothing, and undoes it.
    func mayRun(_ sql: String, _ arguments: String, as role: ProductRole) async throws -> Bool {
        do {
            try await connection.simple(
                """
                DEALLOCATE ALL; PREPARE s AS \(sql); SET LOCAL ROLE \(names.quoted(role));
                SET LOCAL plan_cache_mode = force_generic_plan;  -- which leaves nothing out
                EXECUTE s\(arguments); SELECT 1 / 0
                """)
            return true
        } catch let error as PostgresError {
            if error.sqlState == "42501" { return false }
            // Its parameters make no sense to it: it got that far. A text that doesn't fit the
            // schema never would.
            if let state = error.sqlState, !state.hasPrefix("42") { return true }
            throw error
        }
    }

    /// `(0, 'x')` for a statement's parameters.
    func arguments(of sql: String) async throws -> String {
        try await connection.simple("DEALLOCATE ALL; PREPARE s AS \(sql)")
        let types = try await list(
            """
            SELECT t.type::text FROM pg_prepared_statements s,
                unnest(s.parameter_types) WITH ORDINALITY AS t (type, place) ORDER BY t.place
            """)
        if types.isEmpty { return "" }
        return "(" + types.map { "\(Self.values[$0] ?? "NULL")::\($0)" }.joined(separator: ", ")
            + ")"
    }

    private static let values = [
        "uuid": "'00000000-0000-7000-8000-000000000000'", "text": "'x'", "bytea": "''",
        "smallint": "1", "integer": "1", "bigint": "1", "double precision": "1",
        "boolean": "false", "interval": "'1 s'", "jsonb": "'[]'",
        "timestamp with time zone": "now()", "text[]": "'{}'", "uuid[]": "'{}'",
        "bigint[]": "'{}'", "integer[]": "'{}'",
    ]
}
