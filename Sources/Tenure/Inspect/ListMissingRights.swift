import TenurePostgres

/// What the user may not do and a worker has to: one line each, empty when all is granted.
struct ListMissingRights: PostgresStatement {
    static let sql = """
        WITH home AS (
            SELECT c.relnamespace AS id FROM pg_class c WHERE c.oid = 'tenure.job'::regclass
        ), needed AS (
            SELECT c.oid, c.relname, r.verb FROM home h
            JOIN pg_class c ON c.relnamespace = h.id AND c.relkind IN ('r', 'p')
            CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS r (verb)
            WHERE NOT c.relispartition
        )
        SELECT m.what FROM (
            SELECT 'USAGE on its schema' AS what FROM home h
            WHERE NOT has_schema_privilege(h.id, 'USAGE')
            UNION ALL
            SELECT 'CREATE on its schema, for partitions' FROM home h
            WHERE NOT has_schema_privilege(h.id, 'CREATE')
            UNION ALL
            SELECT format('%s on %s', string_agg(n.verb, ', '), n.relname) FROM needed n
            WHERE NOT has_table_privilege(n.oid, n.verb) GROUP BY n.relname
            UNION ALL
            SELECT format('USAGE on sequence %s', c.relname) FROM home h
            JOIN pg_class c ON c.relnamespace = h.id
            -- A WHERE might ask for the rights of a table first, which is an error.
            WHERE CASE WHEN c.relkind = 'S'
                       THEN NOT has_sequence_privilege(c.oid, 'USAGE') ELSE false END
            UNION ALL
            SELECT format('EXECUTE on function %s', p.proname) FROM home h
            JOIN pg_proc p ON p.pronamespace = h.id
            WHERE NOT has_function_privilege(p.oid, 'EXECUTE')
        ) AS m ORDER BY m.what
        """

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
