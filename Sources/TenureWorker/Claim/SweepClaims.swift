import TenurePostgres

/// Writes runs, on rows of their own, that a claim row has spoken for during a minute, some claims
/// at a time. Says how many.
struct SweepClaims: PostgresStatement {
    static let sql = "SELECT tenure.sweep_claims(20)"

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
