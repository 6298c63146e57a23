import Tenure
import TenureFoundation
import TenurePostgres

/// How a wait would end now: no row where there is something to wait for. A look, without locks;
/// and what is behind the job, for a run that has not asked yet.
struct SeeWait: PostgresStatement {
    static let sql = """
        SELECT s.name, s.how::text, s.type, NULL::uuid, NULL::jsonb
        FROM tenure.read_steps($1) AS s WHERE $4
        UNION ALL
        SELECT NULL, w.how::text, NULL, w.id, w.payload FROM tenure.see_wait($1, $2, $3) AS w
        """
    let job: JobID
    let wait: Wait
    let asksForSteps: Bool

    enum Row: Sendable {
        case step(StepType)
        /// With the signal's id.
        case over(EndedWait, signal: UUID?)
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(wait.step)
        try parameters.append(wait.signal)
        try parameters.append(asksForSteps)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        let word: String = try row.decode(1)
        let way = JobStep.Way(rawValue: word)
        if let name = try row.decode(0, as: String?.self) {
            return .step(StepType(name: name, way: way ?? .done, type: try row.decode(2)))
        }
        return .over(
            EndedWait(
                way: way ?? .timeout, payload: try row.decode(4, as: PostgresJSON?.self)?.text),
            signal: try row.decode(3))
    }
}
