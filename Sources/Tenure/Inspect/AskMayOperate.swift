import TenurePostgres

/// Whether the database's user may do what operators do. Workers may cancel; only operators delete.
struct AskMayOperate: PostgresStatement {
    static let sql = """
        SELECT has_function_privilege('tenure.delete_job(uuid, text, jsonb)', 'EXECUTE')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
