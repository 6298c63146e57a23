import Tenure

/// Runs the roles' script in a database, all or nothing.
struct RoleAssignment: Sendable {
    let script: RoleScript
    let pool: PostgresPool

    /// - Returns: the names of the roles that were not there before.
    /// - Throws: `Failure` where a name belongs to somebody who must not lose rights, or the user
    ///   may not make roles.
    func apply() async throws -> [String] {
        let names = script.names
        let script = try script.text(for: pool.configuration)
        do {
            return try await pool.transaction(isolation: .readCommitted) { transaction in
                // Whoever comes second waits until the first is done.
                try await transaction.simple(
                    "LOCK TABLE tenure.migration IN SHARE ROW EXCLUSIVE MODE")
                let all = ProductRole.allCases.map { names[$0] }
                let found = try await transaction.execute(ListRoles(names: all))
                if let own = found.first(where: \.owns) {
                    throw Failure(
                        "\(own.name) is a superuser or owns the tables, and would lose its "
                            + "rights; choose another name, with --prefix or the role's flag")
                }
                try await transaction.simple(script)
                return all.filter { name in !found.contains { $0.name == name } }
            }
        } catch let error as PostgresError where error.sqlState == "42501" {
            throw Failure(
                "\(error). The roles are made and granted by the schemas' owner, who needs "
                    + "CREATEROLE; or let an administrator run what tenure roles prints")
        }
    }
}

/// Which of these roles are there.
struct ListRoles: PostgresStatement {
    static let sql = """
        SELECT r.rolname::text, r.rolsuper OR EXISTS (
                   SELECT FROM pg_class c
                   WHERE c.oid = 'tenure.job'::regclass AND c.relowner = r.oid)
        FROM pg_roles r WHERE r.rolname = ANY ($1::text[])
        """
    let names: [String]

    struct Found: Sendable {
        let name: String
        let owns: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(names) }

    static func decode(_ row: borrowing PostgresRow) throws -> Found {
        Found(name: try row.decode(0), owns: try row.decode(1))
    }
}
