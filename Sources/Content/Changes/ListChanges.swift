import Tenure
import TenureFoundation

/// The changed items of a queue that have come to rest, or have waited for long enough.
struct ListChanges: PostgresStatement {
    static let sql = """
        SELECT c.item, c.xmin::text FROM content.changed_item c
        WHERE c.queue = $1
          AND clock_timestamp() >= least(c.last_at + $2::interval, c.first_at + $3::interval)
        ORDER BY c.first_at LIMIT $4
        """
    /// Few enough for one commit that waits for nobody.
    static let most = 200
    let queue: QueueName
    let pause: Duration

    struct Row: Sendable {
        let item: UUID
        /// Which of its changes was the last.
        let version: String
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(pause)
        try parameters.append(pause * ItemChange.patience)
        try parameters.append(Int64(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(item: try row.decode(0), version: try row.decode(1))
    }
}

/// They have been followed up, but for those that have changed once more meanwhile, and those that
/// somebody holds who may rely on this job: see `NoteChanges`.
struct ForgetChanges: PostgresStatement {
    static let sql = """
        WITH seen AS MATERIALIZED (
            SELECT c.item FROM (
                SELECT u.item, u.version::xid AS version
                FROM unnest($1::uuid[], $2::text[]) AS u (item, version) ORDER BY u.item) AS u
            CROSS JOIN LATERAL (
                SELECT c.item FROM content.changed_item c
                WHERE c.item = u.item AND c.queue = $3 AND c.xmin = u.version
                FOR UPDATE SKIP LOCKED) AS c
        )
        DELETE FROM content.changed_item c
        WHERE c.queue = $3 AND c.item = ANY (array(SELECT s.item FROM seen s))
        """
    let queue: QueueName
    let changes: [ListChanges.Row]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(changes.map(\.item))
        try parameters.append(changes.map(\.version))
        try parameters.append(queue.rawValue)
    }
}

/// When the changes of a queue are to be gone through again: a row, while there are some.
struct FindNextChange: PostgresStatement {
    static let sql = """
        SELECT greatest(
                   min(least(c.last_at + $2::interval, c.first_at + $3::interval))
                       - clock_timestamp(), '0')
        FROM content.changed_item c WHERE c.queue = $1 HAVING count(*) > 0
        """
    let queue: QueueName
    let pause: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(pause)
        try parameters.append(pause * ItemChange.patience)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Duration { try row.decode(0) }
}
