import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import TenureCLI

/// Who may do what: every statement of the product under every role.
@Suite(.serialized, .disabled(if: TestPostgres.isPooled, "it prepares its statements by name"))
struct RoleMatrixTests {
    private struct Tried {
        let name: String
        let path: String
        /// As the table says.
        let roles: String
        let sql: String
    }

    private func statements() throws -> [Tried] {
        var rows = try StatementRoles.rows
        var all: [Tried] = []
        for statement in try ProductStatement.all() {
            guard let roles = rows.removeValue(forKey: statement.name) else {
                Issue.record(
                    """
                    \(statement.name) (\(statement.path)) has no row in StatementRoles.table. Add \
                    one: its name, and the letters of the roles whose part it is, such as \
                    "\(statement.name) -w--o". Then this test says what they lack for it.
                    """)
                continue
            }
            all.append(
                Tried(
                    name: statement.name, path: statement.path, roles: roles, sql: statement.sql))
        }
        for name in rows.keys.sorted() {
            Issue.record("StatementRoles.table has a row \(name), and there is no such statement")
        }
        return all
            + StatementRoles.others.map {
                Tried(name: $0.name, path: "by name", roles: $0.roles, sql: $0.sql)
            }
    }

    @Test func `each statement is run by the roles of the table, and by no other`() async throws {
        let bench = try await RoleBench()
        for statement in try statements() {
            let arguments = try await bench.arguments(of: statement.sql)
            var may = ""
            for (role, letter) in zip(ProductRole.allCases, StatementRoles.letters) {
                let isAllowed = try await bench.mayRun(statement.sql, arguments, as: role)
                may.append(isAllowed ? letter : "-")
            }
            #expect(
                may == statement.roles,
                """
                \(statement.name) (\(statement.path)): the table says \(statement.roles), and \
                \(may) may run it. Grants are in Sources/TenureCLI/Roles.
                """)
        }
    }

    @Test(arguments: ProductRole.allCases)
    func `a role has what its statements need, and no more`(role: ProductRole) async throws {
        let bench = try await RoleBench()
        let rights = try await bench.rights()
        let place = try #require(ProductRole.allCases.firstIndex(of: role))
        let file = "Sources/TenureCLI/Roles/RoleGrants+\(role.rawValue.capitalized).swift"
        var needed: [Right: String] = [:]
        for statement in try statements()
        where Array(statement.roles)[place] == StatementRoles.letters[place] {
            for right in rights.needed(by: statement.sql) { needed[right] = statement.name }
        }
        let granted = try await bench.granted(role)
        for (right, statement) in needed.sorted(by: { $0.key < $1.key })
        where !RoleRules.isGranted(right, granted) {
            Issue.record("\(statement), a \(role.rawValue)'s, needs \(right): add it in \(file)")
        }
        for right in granted.sorted() where !RoleRules.isNeeded(right, needed.keys, granted) {
            Issue.record(
                "\(right): no statement of a \(role.rawValue) needs it; take it out of \(file)")
        }
    }

    @Test func `PUBLIC has nothing`() async throws {
        let bench = try await RoleBench()
        let left = try await bench.granted(nil)
        #expect(left.isEmpty, "\(left)")
    }

    @Test func `what runs as the owner has a search path of its own, and a list of tables`()
        async throws
    {
        let bench = try await RoleBench()
        let loose = try await bench.connection.query(
            """
            SELECT p.proname::text FROM pg_proc p
            WHERE p.pronamespace IN ('tenure'::regnamespace, 'content'::regnamespace)
              AND p.prosecdef AND NOT coalesce(
                  'search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
            """
        ) { try $0.decode(0, as: String.self) }
        #expect(loose.isEmpty)
        await #expect(throws: PostgresError.self) {
            try await bench.connection.query("SELECT tenure.drop_partitions('job', '0')")
        }
        await #expect(throws: PostgresError.self) {
            try await bench.connection.query("SELECT tenure.make_partitions(NULL, 1)")
        }
    }
}

/// How rights that are needed and rights that are granted go together.
enum RoleRules {
    static func isGranted(_ right: Right, _ granted: Set<Right>) -> Bool {
        if granted.contains(right) { return true }
        if !right.column.isEmpty {
            return granted.contains(Right(object: right.object, verb: right.verb))
        }
        // Which columns are enough is found out by running the statement.
        let verb = ["LOCK": "UPDATE", "SELECT": "SELECT", "INSERT": "INSERT"][right.verb]
        return granted.contains { $0.object == right.object && $0.verb == verb }
    }

    static func isNeeded(
        _ right: Right, _ needed: some Collection<Right>, _ granted: Set<Right>
    ) -> Bool {
        if right.verb == "USAGE", !right.object.contains(".") { return true }
        if needed.contains(right) { return true }
        guard !right.column.isEmpty else { return false }
        if right.verb != "UPDATE" {
            return needed.contains(Right(object: right.object, verb: right.verb))
        }
        // Of columns that nobody writes one is enough, for a lock.
        let columns = granted.filter { $0.object == right.object && $0.verb == "UPDATE" }
        return columns.count == 1 && needed.contains(Right(object: right.object, verb: "LOCK"))
    }
}
