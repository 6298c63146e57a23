import Tenure
import TenureFoundation
import TenurePostgres

/// Begins a chunk's commit: an unlocked look at its runs, as `ReadVerdicts` has it, and a bound on
/// waits. Whoever holds what one member needs is to keep no other from its commit.
struct OpenChunk: PostgresStatement {
    static let sql = """
        SELECT NULL::uuid, set_config('lock_timeout', '200ms', true), NULL::bigint, NULL::text
        UNION ALL
        SELECT v.job_id, v.tag, v.number, v.detail FROM tenure.read_verdicts($1, $2) AS v
        """
    let runs: [RunRef]

    func bind(_ parameters: inout PostgresParameters) throws {
        try ReadVerdicts(runs: runs).bind(&parameters)
    }

    /// Nil for the first row.
    static func decode(_ row: borrowing PostgresRow) throws -> (job: JobID, verdict: Verdict)? {
        if try row.decode(0, as: UUID?.self) == nil { return nil }
        return try ReadVerdicts.decode(row)
    }
}
