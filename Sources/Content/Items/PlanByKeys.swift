import Tenure

/// For what comes after it in the same transaction: rows are looked up by their keys, and by one
/// plan for any number of them. Tables that grow by thousands of rows between two looks of
/// autovacuum would be read as a whole, by plans made when they were small; and what is planned
/// anew for each chunk takes longer to plan than to run.
struct PlanByKeys: PostgresStatement {
    static let sql = """
        SELECT set_config('plan_cache_mode', 'force_generic_plan', true),
               set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
        """
}
