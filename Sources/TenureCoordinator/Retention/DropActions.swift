import Tenure
import TenurePostgres

/// Forgets what operators did long ago, so many at a time.
struct DropActions: PostgresStatement {
    static let sql = "SELECT tenure.drop_actions($1, $2)"
    let kept: Duration
    let most: Int32

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kept)
        try parameters.append(most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
