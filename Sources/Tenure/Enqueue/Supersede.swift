// docs/decisions/supersede.md

import TenurePostgres

/// Adds one superseding job without a lane or an expiry: the answer is its generation.
struct Supersede: PostgresStatement {
    static let sql = """
        SELECT tenure.supersede($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """
    let job: NewJob
    let mode: KeyMode
    /// Only if the job will leave a row, whatever becomes of it; there is no answer otherwise.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try job.bind(&parameters)
        try parameters.append(ifKept)
        try parameters.append(mode.key)
        try parameters.append(mode.overlap)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Generation? {
        try row.decode(0, as: Int64?.self).map { Generation($0) }
    }
}
