import Tenure
import TenurePostgres

/// Takes or keeps the lead; the term when it is ours, nil when another session has it.
struct Lead: PostgresStatement {
    static let sql = "SELECT tenure.lead($1, $2)"
    let role: String
    let session: SessionID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(role)
        try parameters.append(session.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64? {
        try row.decode(0, as: Int64?.self)
    }
}
