public import Tenure
import TenureFoundation
import TenurePostgres

/// How a job ended that another has waited for, or what became of a key that it has waited for.
public struct PredecessorEnd: Sendable, Hashable {
    /// Of a wait for a key: an id of its own, which no job has.
    public let job: JobID
    /// What was waited for, where that is a key. Such a wait has no result: what the key has
    /// come to is where its jobs have put it.
    public let key: AwaitedKey?
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
        SELECT e.id, e.outcome::text, e.result, e.reason, e.key_kind, e.key, e.generation
        FROM tenure.read_ends($1, $2) AS e
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
            job: JobID(try row.decode(0)), key: try AwaitedKey(of: row, at: 4),
            status: try JobStatus(text: try row.decode(1)),
            result: try row.decode(2, as: PostgresJSON?.self)?.text, reason: try row.decode(3))
    }
}
