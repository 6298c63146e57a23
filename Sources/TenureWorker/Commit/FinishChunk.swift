import Tenure
import TenureFoundation
import TenurePostgres

/// The last statement of a chunk's commit: subjects, fences, checks, follow-ups, outcomes.
struct FinishChunk: PostgresStatement {
    static let sql = """
        SELECT e.id, e.fence, e.became, e.awaited
        FROM tenure.finish_chunk($1, $2, $3, $4::jsonb[], $5, $6, $7::jsonb[], $8::jsonb) AS e
        """
    let ends: [RunToEnd]
    /// The new jobs as `enqueue_jobs` takes them, or nil.
    let followUps: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(ends.map(\.run.job.uuid))
        try parameters.append(ends.map(\.run.fence.rawValue))
        try parameters.append(ends.map { try $0.outcome.wanted().rawValue })
        try parameters.append(ends.map(\.outcome.result))
        try parameters.append(ends.map(\.outcome.reason))
        try parameters.append(ends.map(\.outcome.delay))
        try parameters.append(
            ends.map { try EndExtras.json(of: $0.outcome, queue: $0.run.queue) })
        try parameters.append(followUps.map { PostgresJSON($0) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (
        run: RunRef, became: RunOutcome, isAwaited: Bool
    ) {
        let run = RunRef(
            job: JobID(try row.decode(0, as: UUID.self)), fence: Fence(try row.decode(1)))
        return (
            run, RunOutcome(text: try row.decode(2)), try row.decode(3, as: Bool?.self) ?? false
        )
    }
}
