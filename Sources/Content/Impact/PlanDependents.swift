import Tenure

/// For `FindDependents` in the same pipeline, or transaction: its plan is made for as many items as
/// are asked about, and compiling it would take longer than running it.
struct PlanDependents: PostgresStatement {
    static let sql = """
        SELECT set_config('jit', 'off', true),
               set_config('plan_cache_mode', 'force_custom_plan', true)
        """

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
