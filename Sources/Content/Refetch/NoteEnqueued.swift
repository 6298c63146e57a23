import Tenure
import TenureFoundation

/// Notes that fetches of items that were due are enqueued: they aren't due again before that is
/// over, or has come to nothing. One whose fetch has ended meanwhile isn't due, and stays as it is.
struct NoteEnqueued: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET enqueued_at = content.now(), due_at = content.now() + interval '6 hours'
        WHERE i.id IN (
            SELECT o.id FROM content.item o
            WHERE o.id = ANY ($1) AND o.due_at <= content.now() ORDER BY o.id FOR NO KEY UPDATE)
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}

/// How many fetches of a site's items are enqueued and haven't come to an end.
struct CountEnqueued: PostgresStatement {
    static let sql = """
        SELECT count(*) FROM content.item i
        WHERE i.site = $1 AND i.enqueued_at > (SELECT content.now()) - interval '6 hours'
        """
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.total(0) }
}

/// Sets an item aside that can't be fetched: it is never due again, and `tenure item list` says so.
struct SetItemAside: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET due_at = NULL, enqueued_at = NULL, outcome = 'failed', code = 'unfetchable'
        WHERE i.id = $1
        """
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }
}
