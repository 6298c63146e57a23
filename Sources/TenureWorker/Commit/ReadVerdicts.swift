import Tenure
import TenureFoundation
import TenurePostgres

/// An unlocked look at a run: what has become of it, nothing if it is still held.
struct ReadVerdicts: PostgresStatement {
    static let sql = """
        SELECT v.job_id, v.tag, v.number, v.detail FROM tenure.read_verdicts($1, $2) AS v
        """
    let runs: [RunRef]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(runs.map(\.job.uuid))
        try parameters.append(runs.map(\.fence.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (job: JobID, verdict: Verdict) {
        let verdict = Verdict(
            tag: try row.decode(1), number: try row.decode(2), detail: try row.decode(3))
        return (JobID(try row.decode(0, as: UUID.self)), verdict)
    }
}

extension Verdict {
    /// What a commit that meets it has become.
    var asLate: LateResult.Became {
        switch self {
        case .lost: .lost
        case .cancelled: .cancelled
        case .superseded: .superseded
        }
    }
}
