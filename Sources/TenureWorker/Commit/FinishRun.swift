import FoundationEssentials
import Tenure
import TenurePostgres

/// The last statement of a commit: subjects, fence, checks, follow-ups, outcome.
struct FinishRun: PostgresStatement {
    static let sql = """
        SELECT f.ordinal FROM tenure.finish($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8::jsonb)
            AS f
        """
    let run: RunRef
    let outcome: JobOutcome
    /// What it does to lanes.
    let lanes: String?
    /// The new jobs as `enqueue_jobs` takes them, or nil.
    let followUps: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(outcome.wanted().rawValue)
        try parameters.append(outcome.result.map { PostgresJSON($0) })
        try parameters.append(followUps.map { PostgresJSON($0) })
        try parameters.append(outcome.reason)
        try parameters.append(outcome.delay)
        try parameters.append(lanes.map { PostgresJSON($0) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> PostgresNoRow { PostgresNoRow() }
}

/// Holds a run's right until the end of the transaction, for writes that don't end the job.
struct HoldRun: PostgresStatement {
    static let sql = "SELECT h.ordinal FROM tenure.hold_run($1, $2, $3::jsonb) AS h"
    let run: RunRef
    /// The new jobs as `enqueue_jobs` takes them, or nil.
    let followUps: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.job.uuid)
        try parameters.append(run.fence.rawValue)
        try parameters.append(followUps.map { PostgresJSON($0) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> PostgresNoRow { PostgresNoRow() }
}

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
