public import TenureFoundation
import TenurePostgres

/// A queue and what is in it.
public struct QueueStatus: Sendable {
    public let name: QueueName
    public let pausedAt: Date?
    public let pausedBy: String?
    /// The most jobs that may run at a time over all workers; nil: no limit.
    public let maxRunning: Int?
    /// The most jobs that may wait in it; nil: no capacity.
    public let capacity: Int?
    /// Due: a worker with a free slot would take them now.
    public let due: Int
    /// Pending with a run time ahead.
    public let later: Int
    public let waiting: Int
    public let held: Int
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
    /// Since when the job waits that has been due for longest.
    public let oldestDue: Date?
    /// Live sessions that subscribe to it.
    public let workers: Int
    /// Where letters of discarded jobs go whose kinds have no address; nil: nowhere.
    public var letters: LetterAddress?
}

extension QueueStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "name": name, "paused": pausedAt != nil, "pausedAt": pausedAt, "pausedBy": pausedBy,
            "maxRunning": maxRunning, "capacity": capacity, "due": due, "running": running,
            "claimed": claimed, "later": later, "waiting": waiting, "held": held,
            "workers": workers, "oldestDue": oldestDue, "letters": letters,
        ])
    }
}

/// The queues that have a row, a job or a live worker.
struct ListQueues: PostgresStatement {
    static let sql = """
        WITH line AS (
            SELECT j.queue,
                   count(*) FILTER (WHERE j.state IN ('scheduled', 'available', 'retryable')
                                      AND j.run_at <= clock_timestamp()) AS due,
                   count(*) FILTER (WHERE j.state IN ('scheduled', 'available', 'retryable')
                                      AND j.run_at > clock_timestamp()) AS later,
                   count(*) FILTER (WHERE j.state = 'waiting') AS waiting,
                   count(*) FILTER (WHERE j.state = 'held') AS held,
                   count(*) FILTER (WHERE j.state = 'running') AS claims,
                   count(*) FILTER (WHERE j.state = 'running' AND tenure.has_begun(
                       j.session_id, j.queue, j.fence)) AS running,
                   min(j.run_at) FILTER (WHERE j.state IN ('scheduled', 'available', 'retryable')
                                           AND j.run_at <= clock_timestamp()) AS oldest
            FROM tenure.job_seen j GROUP BY j.queue
        ), crew AS (
            SELECT n.queue, count(*) AS workers
            FROM tenure.session s, unnest(s.queues) AS n (queue)
            WHERE s.ended_at IS NULL GROUP BY n.queue
        ), named AS (
            SELECT q.name FROM tenure.queue q
            UNION SELECT l.queue FROM line l
            UNION SELECT c.queue COLLATE "C" FROM crew c
            UNION SELECT a.name FROM tenure.dead_letter a WHERE a.thing = 'queue'
        )
        SELECT n.name, q.paused_at, q.paused_by, q.max_running, coalesce(l.due, 0),
               coalesce(l.later, 0), coalesce(l.waiting, 0), coalesce(l.held, 0),
               coalesce(l.running, 0), l.oldest, coalesce(c.workers, 0), q.capacity,
               coalesce(l.claims - l.running, 0), a.letter_kind, a.letter_queue
        FROM named n
        LEFT JOIN tenure.queue q ON q.name = n.name
        LEFT JOIN line l ON l.queue = n.name
        LEFT JOIN crew c ON c.queue = n.name
        LEFT JOIN tenure.dead_letter a ON a.thing = 'queue' AND a.name = n.name
        ORDER BY n.name
        """

    static func decode(_ row: borrowing PostgresRow) throws -> QueueStatus {
        QueueStatus(
            name: QueueName(try row.decode(0, as: String.self)), pausedAt: try row.decode(1),
            pausedBy: try row.decode(2),
            maxRunning: try row.decode(3, as: Int32?.self).map(Int.init),
            capacity: try row.decode(11, as: Int32?.self).map(Int.init),
            due: try count(row, 4), later: try count(row, 5), waiting: try count(row, 6),
            held: try count(row, 7), running: try count(row, 8),
            claimed: try count(row, 12), oldestDue: try row.decode(9),
            workers: try count(row, 10),
            letters: LetterAddress(kind: try row.decode(13), queue: try row.decode(14)))
    }

    private static func count(_ row: borrowing PostgresRow, _ column: Int) throws -> Int {
        Int(try row.decode(column, as: Int64.self))
    }
}
