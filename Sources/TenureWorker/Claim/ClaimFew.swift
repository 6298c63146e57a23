import Tenure
import TenurePostgres

/// Takes jobs of a queue for free slots, from the head, by the short way.
struct ClaimFew: PostgresBulkStatement {
    static let sql = """
        SELECT \(ClaimJobs.columns) FROM tenure.claim_few($1, $2, $3, $4, $5) AS c
        """
    let request: ClaimRequest

    func bind(_ parameters: inout PostgresParameters) throws {
        try request.bind(&parameters)
        try parameters.append(request.kinds.map(\.newestVersion))
    }

    static func glance(at rows: borrowing PostgresRows) throws -> ClaimGlance {
        try ClaimJobs.glance(at: rows)
    }

    static func decodeAll(_ rows: borrowing PostgresRows) throws -> [ClaimedJob] {
        try ClaimJobs.decodeAll(rows)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ClaimedJob {
        try ClaimJobs.decode(row)
    }
}
