import Tenure

/// The SQL that makes the roles, and gives each what it needs and nothing else: whatever a run
/// before gave is taken first.
struct RoleScript: Sendable {
    let names: RoleNames
    /// As the grants write them; the database may have another name for the queue's.
    var schemas = MigrationSet.all.map(\.schema)

    /// The whole of it. It may run as often as one likes.
    func text(for configuration: PostgresConfiguration) throws -> String {
        let parts = [roles] + schemas.map { part($0, configuration.quotedSchema($0)) }
        return try configuration.qualified(parts.joined(separator: "\n\n"))
    }

    /// Who has the roles, by the logins that are made for it.
    private var roles: String {
        ProductRole.allCases.map { role in
            """
            -- \(names[role]) \(role.purpose).
            DO $$ BEGIN
                IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(names[role])') THEN
                    CREATE ROLE \(names.quoted(role)) NOLOGIN;
                END IF;
            END $$;
            """
        }.joined(separator: "\n")
    }

    private func part(_ schema: String, _ home: String) -> String {
        let all = ProductRole.allCases.map(names.quoted).joined(separator: ", ")
        var lines = ["-- Schema \(schema): nothing for PUBLIC, and a new beginning for the roles."]
        for what in [
            "SCHEMA \(home)", "ALL TABLES IN SCHEMA \(home)", "ALL SEQUENCES IN SCHEMA \(home)",
            "ALL FUNCTIONS IN SCHEMA \(home)",
        ] { lines.append(Self.folded("REVOKE ALL ON \(what) FROM PUBLIC, \(all);")) }
        for role in ProductRole.allCases {
            let name = names.quoted(role)
            lines.append("")
            lines.append("GRANT USAGE ON SCHEMA \(home) TO \(name);")
            for line in role.grants.lines(in: schema) {
                lines.append(Self.folded("GRANT \(line) TO \(name);"))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// In lines that a terminal holds.
    private static func folded(_ statement: String) -> String {
        var lines = [""]
        for word in statement.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < 99 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("    \(word)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
