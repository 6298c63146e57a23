import FoundationEssentials
import TenurePostgres

/// Whether an enqueue's rows are there, after a crash that made its transaction's id worthless.
/// Nothing of it can be in progress any more: the server that ran it is gone.
struct FindEnqueued: PostgresStatement {
    static let sql = """
        SELECT EXISTS (
                   SELECT FROM unnest($1::uuid[], $2::int8[]) AS e (id, generation)
                   JOIN tenure.find_jobs($1) AS f ON f.id = e.id
                   WHERE f.generation IS NOT DISTINCT FROM e.generation),
               EXISTS (SELECT FROM tenure.forgetful_queues($3))
        """
    let enqueued: [EnqueuedJob]
    let queues: [QueueName]

    struct Answer: Sendable {
        let isThere: Bool
        /// A job may have come, been completed and left no row.
        let mayHaveLeft: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(enqueued.map(\.id.uuid))
        try parameters.append(enqueued.map { $0.generation?.rawValue })
        try parameters.append(queues.map(\.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Answer {
        Answer(isThere: try row.decode(0), mayHaveLeft: try row.decode(1))
    }
}
