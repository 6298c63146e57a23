import TenurePostgres

/// Puts the keys of jobs that have ended into the index that a key's past is read by.
struct IndexKeys: PostgresStatement {
    static let sql = "SELECT tenure.index_keys()"
}
