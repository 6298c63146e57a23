import Tenure
import TenureFoundation

/// Notes that items' edges or anchors have changed, until a job of the queue has followed it up.
/// The items' rows are locked. A row: that job is to be enqueued in the same commit.
///
/// It need not be where somebody else's note is held until the commit that has called for the job
/// within the pause: the job takes no note that somebody holds, and goes on while one is left. A
/// note stays with its queue, so that what is held keeps the right job going.
struct NoteChanges: PostgresStatement {
    static let sql = """
        WITH call AS MATERIALIZED (
            SELECT c.item FROM content.changed_item c
            WHERE c.queue = $2 AND c.called_at > clock_timestamp() - $3::interval
            LIMIT 1 FOR KEY SHARE SKIP LOCKED
        ), news AS MATERIALIZED (
            SELECT CASE WHEN count(*) = 0 THEN clock_timestamp() END AS called_at FROM call
        ), noted AS (
            INSERT INTO content.changed_item AS c (item, queue, called_at)
            SELECT u.item, $2, n.called_at
            FROM news n CROSS JOIN unnest($1::uuid[]) AS u (item)
            ORDER BY u.item
            ON CONFLICT (item, queue) DO UPDATE
            SET last_at = clock_timestamp(),
                called_at = coalesce(EXCLUDED.called_at, c.called_at)
        )
        SELECT true FROM news n WHERE n.called_at IS NOT NULL
        """
    let items: [UUID]
    /// Whose jobs follow it up.
    let queue: QueueName
    /// For how long items are left to come to rest.
    let pause: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(items)
        try parameters.append(queue.rawValue)
        try parameters.append(pause)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
