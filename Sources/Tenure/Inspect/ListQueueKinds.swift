import TenurePostgres

/// What a queue's jobs of one kind are doing.
public struct QueueKind: Sendable {
    public let kind: JobKind
    public let due: Int
    public let later: Int
    public let waiting: Int
    public let held: Int
    public let running: Int
    /// Claimed by a worker, and their handlers have not begun.
    public var claimed = 0
}

extension QueueKind: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "kind": kind, "due": due, "running": running, "claimed": claimed, "later": later,
            "waiting": waiting, "held": held,
        ])
    }
}

struct ListQueueKinds: PostgresStatement {
    static let sql = """
        SELECT j.kind,
               count(*) FILTER (WHERE j.state IN ('scheduled', 'available', 'retryable')
                                  AND j.run_at <= clock_timestamp()),
               count(*) FILTER (WHERE j.state IN ('scheduled', 'available', 'retryable')
                                  AND j.run_at > clock_timestamp()),
               count(*) FILTER (WHERE j.state = 'waiting'),
               count(*) FILTER (WHERE j.state = 'held'),
               count(*) FILTER (WHERE j.state = 'running' AND tenure.has_begun(
                   j.session_id, j.queue, j.fence)),
               count(*) FILTER (WHERE j.state = 'running' AND NOT tenure.has_begun(
                   j.session_id, j.queue, j.fence))
        FROM tenure.job_seen j WHERE j.queue = $1 GROUP BY j.kind ORDER BY count(*) DESC, j.kind
        """
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueKind {
        QueueKind(
            kind: JobKind(try row.decode(0, as: String.self)),
            due: Int(try row.decode(1, as: Int64.self)),
            later: Int(try row.decode(2, as: Int64.self)),
            waiting: Int(try row.decode(3, as: Int64.self)),
            held: Int(try row.decode(4, as: Int64.self)),
            running: Int(try row.decode(5, as: Int64.self)),
            claimed: Int(try row.decode(6, as: Int64.self)))
    }
}

/// How many of a queue's jobs run, or are about to: what is claimed counts. By session, because few
/// do and many wait.
struct CountRunning: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM tenure.run_seen j WHERE j.queue = $1
        """
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
