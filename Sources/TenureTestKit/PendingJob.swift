public import Tenure
public import TenureFoundation
import TenurePostgres

/// A job that is enqueued and waits for its run.
public struct PendingJob<J: Job>: Sendable {
    public let id: JobID
    /// Its payload.
    public let job: J
    /// `scheduled`, `available`, `retryable`, `waiting` or `held`.
    public let status: JobStatus
    public let queue: QueueName
    public let key: String?
    public let generation: Generation?
    public let priority: JobPriority
    public let lane: String?
    /// Attempts that were made.
    public let attempt: Int
    public let maxAttempts: Int
    /// By the database's clock.
    public let runAt: Date
    /// The batch it belongs to.
    public let batchID: UUID?
    public let parent: JobID?

    /// - Parameter payload: the row's, as JSON.
    init(_ row: PendingRow, _ payload: String) throws {
        id = row.id
        do {
            job = try JSONDecoder().decode(J.self, from: Data(payload.utf8))
        } catch {
            throw TestKitError(
                "the payload of job \(row.id) is no \(J.self): \(payload): \(error)")
        }
        (status, queue, key) = (row.status, row.queue, row.key)
        (generation, priority, lane) = (row.generation, row.priority, row.lane)
        (attempt, maxAttempts, runAt) = (row.attempt, row.maxAttempts, row.runAt)
        (batchID, parent) = (row.batchID, row.parent)
    }
}

struct PendingRow: Sendable {
    let id: JobID
    let payload: String
    let status: JobStatus
    let queue: QueueName
    let key: String?
    let generation: Generation?
    let priority: JobPriority
    let lane: String?
    let attempt: Int
    let maxAttempts: Int
    let runAt: Date
    let batchID: UUID?
    let parent: JobID?
}

/// Lets the time of a job's waits be over that it is scheduled for.
struct EndTimedWaits: PostgresStatement {
    static let sql = """
        UPDATE tenure.job_wait w SET until = clock_timestamp() FROM tenure.job j
        WHERE j.id = $1 AND w.job_id = j.id AND w.until <= j.run_at
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }
}

struct ListPending: PostgresStatement {
    static let sql = """
        SELECT j.id, j.payload, j.state::text, j.queue, j.key, j.generation, j.priority, j.lane,
               j.attempt, j.max_attempts, j.run_at, j.batch_id, j.parent_id
        FROM tenure.job j
        WHERE j.kind = $1 AND j.state <> 'running' AND ($2::text IS NULL OR j.queue = $2)
          AND ($3::text IS NULL OR j.key = $3)
        ORDER BY j.id
        """
    let kind: JobKind
    let queue: QueueName?
    let key: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(queue?.rawValue)
        try parameters.append(key)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> PendingRow {
        PendingRow(
            id: JobID(try row.decode(0, as: UUID.self)),
            payload: try row.decode(1, as: PostgresJSON.self).text,
            status: try JobStatus(text: row.decode(2)),
            queue: QueueName(try row.decode(3, as: String.self)), key: try row.decode(4),
            generation: try row.decode(5, as: Int64?.self).map { Generation($0) },
            priority: JobPriority(try row.decode(6)), lane: try row.decode(7),
            attempt: Int(try row.decode(8, as: Int32.self)),
            maxAttempts: Int(try row.decode(9, as: Int32.self)), runAt: try row.decode(10),
            batchID: try row.decode(11),
            parent: try row.decode(12, as: UUID?.self).map { JobID($0) })
    }
}
