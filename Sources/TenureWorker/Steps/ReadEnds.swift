public import Tenure
import TenureFoundation
import TenurePostgres

/// How a job ended that another has waited for.
public struct PredecessorEnd: Sendable, Hashable {
    public let job: JobID
    /// `completed`, or, where the wait was for any end, how else it ended.
    public let status: JobStatus
    /// What it completed with, as JSON text; as it is stored where the worker's codec can't read
    /// it.
    public internal(set) var result: String?
    /// Who cancelled it, or why it was given up.
    public let reason: String?
}

/// How those jobs ended that one has waited for.
struct ReadEnds: PostgresStatement {
    static let sql = """
        SELECT e.id, e.outcome::text, e.result, e.reason FROM tenure.read_ends($1, $2) AS e
        """
    let job: JobID
    /// Nil: of all.
    let wanted: [JobID]?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try parameters.append(wanted?.map(\.uuid))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> PredecessorEnd {
        PredecessorEnd(
            job: JobID(try row.decode(0)), status: try JobStatus(text: try row.decode(1)),
            result: try row.decode(2, as: PostgresJSON?.self)?.text, reason: try row.decode(3))
    }
}
