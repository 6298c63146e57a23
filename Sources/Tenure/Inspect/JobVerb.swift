import TenureFoundation
import TenurePostgres

/// What an operator does to jobs.
public enum JobVerb: String, Sendable, CaseIterable {
    /// Pending jobs are over, running ones are told to stop.
    case cancel
    /// Pending jobs are given up; running and finished ones stay.
    case discard
    /// Finished jobs are taken out of history; unfinished ones stay.
    case delete
    /// Pending jobs run now, finished ones again as new jobs.
    case retry
}

/// What became of one job, by a verb.
public struct JobResult: Sendable {
    public let id: JobID
    public let result: Result
    /// The job that will run, where it is a new one.
    public let newID: JobID?

    public enum Result: String, Sendable, Codable, CodingKeyRepresentable {
        /// It had not started, and is over.
        case cancelled
        /// It runs: its worker is told, and it is over when its run has let go.
        case cancelling
        case discarded, deleted, forgotten, retried
        /// Not retried: it runs or waits already, or another job stands for it.
        case kept
        /// Neither discarded nor forgotten: it, or its letter, runs.
        case running
        /// Neither deleted nor forgotten.
        case unfinished
        /// Neither cancelled nor discarded: it was over already.
        case finished
        /// It can't be enqueued as it is; to retry it alone says why.
        case refused
        /// There is no job of that id, or history has dropped it.
        case unknown
        /// It was locked just then, and is as it was.
        case busy
    }
}

/// A verb for many jobs. Waits for nobody: what is locked is busy.
struct OperateJobs: PostgresStatement {
    static let sql = "SELECT o.id, o.became FROM tenure.operate_jobs($1, $2, $3, $4) AS o"
    let verb: JobVerb
    let jobs: [JobID]
    let whom: String?
    let note: ActionNote

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(verb.rawValue)
        try parameters.append(jobs.map(\.uuid))
        try parameters.append(whom: whom)
        try parameters.append(note: note)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult {
        JobResult(
            id: JobID(try row.decode(0, as: UUID.self)),
            result: try JobResult.Result(answer: row.decode(1), to: "a verb for jobs"), newID: nil)
    }
}

/// Runs finished jobs again, each as a new one.
struct RepeatJobs: PostgresStatement {
    static let sql = "SELECT r.id, r.became, r.new_id FROM tenure.repeat_jobs($1, $2, $3) AS r"
    let jobs: [JobID]
    let whom: String?
    let note: ActionNote

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.uuid))
        try parameters.append(whom: whom)
        try parameters.append(note: note)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult {
        JobResult(
            id: JobID(try row.decode(0, as: UUID.self)),
            result: try JobResult.Result(answer: row.decode(1), to: "a retry of jobs"),
            newID: try row.decode(2, as: UUID?.self).map { JobID($0) })
    }
}

/// Gives one job up, or takes it out of history; waits for its lock.
struct OperateJob: PostgresStatement {
    static let sql = """
        SELECT CASE $1 WHEN 'discard' THEN tenure.discard_job($2, $3, $4)
                       WHEN 'delete' THEN tenure.delete_job($2, $3, $4) END
        """
    let verb: JobVerb
    let job: JobID
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(verb.rawValue)
        try parameters.append(job.uuid)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> JobResult.Result {
        try JobResult.Result(answer: row.decode(0), to: "a verb for a job")
    }
}
