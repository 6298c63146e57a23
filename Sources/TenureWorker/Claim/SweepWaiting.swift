import TenureFoundation
import TenurePostgres

/// Lets jobs go that wait though no run of their key is left, some at a time. Says where to go on,
/// nil at the end of a round, and how many waited for nothing.
struct SweepWaiting: PostgresStatement {
    static let sql = "SELECT s.onward, s.released FROM tenure.sweep_waiting($1, 5000) AS s"
    let after: UUID?

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(after) }

    static func decode(_ row: borrowing PostgresRow) throws -> (onward: UUID?, released: Int) {
        (try row.decode(0), Int(try row.decode(1, as: Int32.self)))
    }
}
