import TenurePostgres

/// Whether the database's user may do what operators do.
struct AskMayOperate: PostgresStatement {
    static let sql = """
        SELECT has_function_privilege('tenure.cancel_job(uuid, text)', 'EXECUTE')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
