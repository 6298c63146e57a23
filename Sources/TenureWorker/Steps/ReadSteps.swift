import Tenure
import TenurePostgres

/// A step that is behind a job.
struct StepType: Sendable {
    let name: String
    let way: JobStep.Way
    /// The result's, as the program called it that wrote it.
    let type: String?
}

/// What is behind a job, without the results.
struct ReadSteps: PostgresStatement {
    static let sql = "SELECT s.name, s.how::text, s.type FROM tenure.read_steps($1) AS s"
    let job: JobID

    init(of job: JobID) { self.job = job }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> StepType {
        let way: String = try row.decode(1)
        return StepType(
            name: try row.decode(0), way: JobStep.Way(rawValue: way) ?? .done,
            type: try row.decode(2))
    }
}

/// The result of a step, as JSON.
struct ReadStep: PostgresStatement {
    static let sql = "SELECT s.result FROM tenure.read_steps($1, $2) AS s"
    let job: JobID
    let name: String

    init(_ name: String, of job: JobID) { (self.job, self.name) = (job, name) }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(name)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String? {
        try row.decode(0, as: PostgresJSON?.self)?.text
    }
}
