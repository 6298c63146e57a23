import FoundationEssentials
import TenurePostgres

/// The jobs of a run that were discarded.
struct CountDiscarded: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM tenure.job_history h
        WHERE h.outcome = 'discarded' AND h.run_id = $1
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
