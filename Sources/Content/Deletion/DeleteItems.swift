import Tenure
import TenureFoundation

/// Writes who deleted items, and what was known to depend on them.
struct NoteDeletions: PostgresStatement {
    static let sql = """
        INSERT INTO content.deletion (item, url, deleted_by, verdict, places)
        SELECT d.item, d.url, $2, d.verdict, d.places
        FROM unnest($1::uuid[], $3::text[], $4::text[], $5::int8[])
             AS d (item, url, verdict, places)
        """
    let impacts: [ItemImpact]
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(impacts.map(\.id))
        try parameters.append(whom: whom)
        try parameters.append(impacts.map { URLRedaction.text($0.url ?? "") })
        try parameters.append(impacts.map(\.verdict.rawValue))
        try parameters.append(impacts.map { Int64($0.placeCount) })
    }
}

/// Forgets what is kept of items, and what they refer to; their rows are locked. Notes the latter
/// as dropped: for how many edges, is returned.
struct DeleteKept: PostgresStatement {
    static let sql = """
        WITH reference AS (
            DELETE FROM content.reference r WHERE r.item = ANY ($1::uuid[])
            RETURNING r.item, r.target
        ), dropped AS (
            INSERT INTO content.dropped_edge (item, target)
            SELECT DISTINCT r.item, r.target FROM reference r WHERE r.target IS NOT NULL
            ON CONFLICT DO NOTHING RETURNING true
        ), anchor AS (
            DELETE FROM content.anchor a WHERE a.item = ANY ($1::uuid[])
        ), changed AS (
            DELETE FROM content.changed_item c WHERE c.item = ANY ($1::uuid[])
        ), field AS (
            DELETE FROM content.item_field f WHERE f.item = ANY ($1::uuid[])
        ), candidate AS (
            DELETE FROM content.candidate c WHERE c.item = ANY ($1::uuid[])
        ), version AS (
            DELETE FROM content.version v WHERE v.item = ANY ($1::uuid[])
        ), asked AS (
            DELETE FROM content.fetch_run f WHERE f.item = ANY ($1::uuid[])
        )
        SELECT count(*) FROM dropped
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        try row.total(0)
    }
}

/// Forgets the files of items. Their pieces are dropped with what nobody needs any more.
struct DeleteFiles: PostgresStatement {
    static let sql = """
        WITH file AS (DELETE FROM content.file f WHERE f.id = ANY ($1::uuid[]))
        UPDATE content.download d SET is_open = false
        WHERE d.item = ANY ($1::uuid[]) AND d.is_open
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}

struct DeleteItems: PostgresStatement {
    static let sql = "DELETE FROM content.item i WHERE i.id = ANY ($1::uuid[])"
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}

/// What redirected to items that are deleted: nobody knows now where that leads, and whoever refers
/// to it has it looked at anew. So an edge to it that is being written just now is as good as one
/// that is written later. Each is noted as dropped by the item that it led to, to be followed up;
/// how many there are, is returned.
struct ForgetRedirects: PostgresStatement {
    static let sql = """
        WITH alias AS MATERIALIZED (
            SELECT u.id AS item, n.id AS target, n.state
            FROM unnest($1::uuid[]) AS u (id)
            CROSS JOIN LATERAL (
                SELECT t.href FROM content.target t WHERE t.id = u.id OFFSET 0) AS t
            CROSS JOIN LATERAL (
                SELECT n.id, n.state FROM content.target n
                WHERE n.next_href = t.href
                  AND n.state IN ('redirected', 'moved') OFFSET 0) AS n
        ), forgotten AS (
            UPDATE content.target r
            SET state = 'unchecked', code = NULL, status = NULL, next_href = NULL,
                checked_at = NULL, changed_at = content.now()
            WHERE r.id = ANY (array(SELECT a.target FROM alias a))
        ), event AS (
            INSERT INTO content.target_event (target, before, after)
            SELECT a.target, a.state, 'unchecked' FROM alias a
        ), dropped AS (
            INSERT INTO content.dropped_edge (item, target)
            SELECT a.item, a.target FROM alias a ON CONFLICT DO NOTHING
        )
        SELECT count(*) FROM alias
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        try row.total(0)
    }
}

/// Forgets the targets that nobody refers to now; they are locked, and stay so for others.
struct DeleteTargets: PostgresStatement {
    static let sql = """
        WITH unneeded AS MATERIALIZED (
            SELECT u.id FROM unnest($1::uuid[]) AS u (id)
            WHERE NOT EXISTS (SELECT FROM content.reference r WHERE r.target = u.id)
        ), event AS (
            DELETE FROM content.target_event e
            WHERE e.target = ANY (array(SELECT u.id FROM unneeded u))
        ), fragment AS (
            DELETE FROM content.target_fragment f
            WHERE f.target = ANY (array(SELECT u.id FROM unneeded u))
        )
        DELETE FROM content.target t WHERE t.id = ANY (array(SELECT u.id FROM unneeded u))
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}
