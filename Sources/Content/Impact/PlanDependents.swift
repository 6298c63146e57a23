import Tenure

/// For `FindDependents` in the same pipeline, or transaction: its plan is made for as many items as
/// are asked about, and compiling it would take longer than running it. A few rows of an index are
/// read as they come, and a few thousand are sorted in memory.
struct PlanDependents: PostgresStatement {
    static let sql = """
        SELECT set_config('jit', 'off', true),
               set_config('plan_cache_mode', 'force_custom_plan', true),
               set_config('enable_bitmapscan', 'off', true),
               set_config('work_mem', greatest(
                   pg_size_bytes(current_setting('work_mem')), 16777216) / 1024 || 'kB', true)
        """

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
