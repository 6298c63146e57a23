import FoundationEssentials
import Tenure

/// Notes that an item's edges or anchors have changed, until that has been followed up. Its row is
/// locked.
struct NoteChange: PostgresStatement {
    static let sql = """
        INSERT INTO content.changed_item AS c (item, queue) VALUES ($1, $2)
        ON CONFLICT (item) DO UPDATE SET last_at = clock_timestamp(), queue = EXCLUDED.queue
        """
    let item: UUID
    /// Whose jobs follow it up.
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(queue.rawValue)
    }
}

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

/// They have been followed up, but for those that have changed once more meanwhile.
struct ForgetChanges: PostgresStatement {
    static let sql = """
        WITH seen AS MATERIALIZED (
            SELECT c.item FROM (
                SELECT u.item, u.version::xid AS version
                FROM unnest($1::uuid[], $2::text[]) AS u (item, version) ORDER BY u.item) AS u
            CROSS JOIN LATERAL (
                SELECT c.item FROM content.changed_item c
                WHERE c.item = u.item AND c.xmin = u.version FOR UPDATE) AS c
        )
        DELETE FROM content.changed_item c WHERE c.item = ANY (array(SELECT s.item FROM seen s))
        """
    let changes: [ListChanges.Row]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(changes.map(\.item))
        try parameters.append(changes.map(\.version))
    }
}

/// A transaction's number: everything that has begun to write before has a lower one.
struct ReadHorizon: PostgresStatement {
    static let sql = "SELECT pg_current_xact_id()::text"

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// When the changes of a queue are to be gone through again: a row, while there are some, or while
/// somebody may still commit who began before the horizon.
struct FindNextChange: PostgresStatement {
    static let sql = """
        WITH rest AS MATERIALIZED (
            SELECT min(least(c.last_at + $2::interval, c.first_at + $3::interval)) AS due
            FROM content.changed_item c WHERE c.queue = $1
        )
        SELECT CASE WHEN r.due IS NULL THEN $2::interval
                    ELSE greatest(r.due - clock_timestamp(), '0') END
        FROM rest r
        WHERE r.due IS NOT NULL OR pg_snapshot_xmin(pg_current_snapshot()) < $4::text::xid8
        """
    let queue: QueueName
    let pause: Duration
    let horizon: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(pause)
        try parameters.append(pause * ItemChange.patience)
        try parameters.append(horizon)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Duration { try row.decode(0) }
}
