import Tenure

/// What the user lacks for each of the product's roles; nothing of those it can take.
struct ListMissingRights: PostgresStatement {
    static let sql = """
        WITH home AS (
            SELECT c.relnamespace AS id, 'tenure' AS name
            FROM pg_class c WHERE c.oid = 'tenure.job'::regclass
            UNION ALL
            SELECT n.oid, n.nspname FROM pg_namespace n
            WHERE n.nspname <> 'tenure' AND n.nspname = ANY ($2)
        ), needed AS (
            SELECT n.role, h.id AS home, n.object, n.verb, n.field
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
                AS n (role, home, object, verb, field)
            JOIN home h ON h.name = n.home
        ), had AS (
            SELECT n.role, n.object, n.verb, CASE
                WHEN n.verb = 'EXECUTE' THEN (
                    SELECT bool_and(has_function_privilege(p.oid, 'EXECUTE')) FROM pg_proc p
                    WHERE p.pronamespace = n.home AND p.proname = n.object)
                WHEN NOT has_schema_privilege(n.home, 'USAGE') THEN false
                WHEN n.verb = 'USAGE' THEN has_sequence_privilege(c.oid, 'USAGE')
                WHEN n.field = '' THEN has_table_privilege(c.oid, n.verb)
                ELSE has_column_privilege(c.oid, n.field, n.verb) END AS is_had
            FROM needed n
            LEFT JOIN pg_class c ON c.relnamespace = n.home AND c.relname = n.object
        ), missing AS (
            SELECT DISTINCT h.role, h.verb, h.object FROM had h WHERE h.is_had IS NOT TRUE
        )
        SELECT m.role, string_agg(m.verb, ', ' ORDER BY m.verb) || ' on ' || m.object
        FROM missing m GROUP BY m.role, m.object ORDER BY m.role, m.object
        """

    struct Missing: Sendable {
        let role: ProductRole?
        let what: String
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        let rights = ProductRole.allCases.flatMap(Self.rights)
        try parameters.append(rights.map(\.role.rawValue))
        try parameters.append(rights.map(\.schema))
        try parameters.append(rights.map(\.object))
        try parameters.append(rights.map(\.verb))
        try parameters.append(rights.map(\.column))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Missing {
        Missing(
            role: ProductRole(rawValue: try row.decode(0)), what: try row.decode(1))
    }

    private struct Right {
        let role: ProductRole
        let schema: String
        let object: String
        let verb: String
        let column: String
    }

    /// One for each object, verb and column.
    private static func rights(of role: ProductRole) -> [Right] {
        var rights: [Right] = []
        for grant in role.grants.grants {
            for object in grant.objects {
                // Without the parameters that tell functions of one name apart.
                let name = object.prefix { $0 != "(" }.split(separator: ".").map(String.init)
                for (verb, columns) in grant.verbs {
                    for column in columns.isEmpty ? [""] : columns {
                        rights.append(
                            Right(
                                role: role, schema: name[0], object: name[1], verb: verb,
                                column: column))
                    }
                }
            }
        }
        return rights
    }
}
