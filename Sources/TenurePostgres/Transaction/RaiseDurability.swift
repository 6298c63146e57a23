/// Raises `synchronous_commit` from `off`, for the transaction.
struct RaiseDurability: PostgresStatement {
    static let sql = """
        SELECT set_config('synchronous_commit', 'on', true)
        WHERE current_setting('synchronous_commit') = 'off'
        """
}
