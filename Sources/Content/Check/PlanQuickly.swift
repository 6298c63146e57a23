import Tenure

/// For what comes after it in the same pipeline: compiling a report's statements takes longer than
/// running them.
struct PlanQuickly: PostgresStatement {
    static let sql = "SELECT set_config('jit', 'off', true)"

    func bind(_ parameters: inout PostgresParameters) throws {}

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
