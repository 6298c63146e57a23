import TenureFoundation
import TenurePostgres

/// Whether an enqueue's rows are there, after a crash that made its transaction's id worthless.
/// Nothing of it can be in progress any more: the server that ran it is gone.
struct FindEnqueued: PostgresStatement {
    static let sql = """
        SELECT EXISTS (
                   SELECT FROM unnest($1::uuid[], $2::int8[]) AS e (id, least)
                   JOIN tenure.find_jobs($1) AS f ON f.id = e.id
                   WHERE e.least IS NULL OR f.generation >= e.least),
               EXISTS (SELECT FROM tenure.forgetful_queues($3))
        """
    /// What tells: the jobs that are there by this enqueue alone, whatever has become of them
    /// since; where there is none, those that it changed.
    private let telling: [EnqueuedJob]
    let queues: [QueueName]

    init(enqueued: [EnqueuedJob], queues: [QueueName]) {
        let new = enqueued.filter { $0.result == .enqueued }
        telling = new.isEmpty ? enqueued : new
        self.queues = queues
    }

    struct Answer: Sendable {
        let isThere: Bool
        /// A job may have come, been completed and left no row.
        let mayHaveLeft: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(telling.map(\.id.uuid))
        // A row that is further than this was changed by somebody after it; had this been rolled
        // back, that one's would have taken its place all the same.
        try parameters.append(
            telling.map { $0.result == .enqueued ? nil : $0.generation?.rawValue })
        try parameters.append(queues.map(\.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Answer {
        Answer(isThere: try row.decode(0), mayHaveLeft: try row.decode(1))
    }
}
