import TenurePostgres

/// The jobs whose payload no release so far could read.
struct CountHeld: PostgresStatement {
    static let sql = "SELECT count(*) FROM tenure.job j WHERE j.state = 'held'"

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
