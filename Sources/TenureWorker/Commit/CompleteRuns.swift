// docs/decisions/fast-path.md

import Tenure
import TenureFoundation
import TenurePostgres

/// Completes unkeyed jobs without results, many in one statement. Returned are those that it left,
/// because they were late, have an ending of their own, or were locked; and those that it completed
/// and others wait for.
struct CompleteRuns: PostgresStatement {
    static let sql = "SELECT g.id, g.is_left FROM tenure.complete_group($1, $2, $3) AS g"
    let runs: [(run: RunRef, place: RowPlace?)]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(runs.map { $0.run.job.uuid })
        try parameters.append(runs.map { $0.run.fence.rawValue })
        try parameters.append(runs.map { $0.place })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (job: JobID, isLeft: Bool) {
        (JobID(try row.decode(0, as: UUID.self)), try row.decode(1))
    }
}
