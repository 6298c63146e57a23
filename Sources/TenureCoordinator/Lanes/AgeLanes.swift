import Tenure
import TenurePostgres

/// Puts some plain jobs of each queue that has a patience to its front that have waited for longer
/// behind more urgent ones.
struct AgeQueues: PostgresStatement {
    static let sql = "SELECT tenure.age_queues(100)"

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}

/// Puts a few jobs of each lane to its front that have waited too long behind more urgent ones.
struct AgeLanes: PostgresStatement {
    static let sql = "SELECT tenure.age_lanes($1, $2)"
    let patience: Duration

    /// How many of a lane each minute.
    private static let most: Int32 = 6

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(patience)
        try parameters.append(Self.most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
