import Tenure

/// Who the database says that one is, and whether it lets one do what operators do
/// (`Inspector.mayOperate`).
struct AskOwnRights: PostgresStatement {
    struct Row: Sendable {
        let name: String
        let mayAct: Bool
    }
    static let sql = """
        SELECT session_user::text,
               has_function_privilege('tenure.delete_job(uuid, text, jsonb)', 'EXECUTE')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(name: try row.decode(0), mayAct: try row.decode(1))
    }
}
