// docs/decisions/fast-path.md

import Tenure
import TenureFoundation
import TenurePostgres

/// Completes unkeyed jobs without results, many in one statement. Those that are returned were
/// late, have an ending of their own, or were locked.
struct CompleteRuns: PostgresStatement {
    static let sql = "SELECT c FROM tenure.complete_runs($1, $2, $3) AS c"
    let runs: [(run: RunRef, place: RowPlace?)]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(runs.map { $0.run.job.uuid })
        try parameters.append(runs.map { $0.run.fence.rawValue })
        try parameters.append(runs.map { $0.place })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobID {
        JobID(try row.decode(0, as: UUID.self))
    }
}
