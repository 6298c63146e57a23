import Tenure
import TenureFoundation

/// Makes a bite of the items that were there before a site the site's own, unless they belong to
/// one that lies further in. Returns whether that was all.
///
/// Locks: the site, then the items in the order of their ids.
struct EnrolItems: PostgresStatement {
    static let sql = """
        WITH own AS MATERIALIZED (
            SELECT s.id, s.prefix, s.enrolled_to, split_part(s.url, '/', 3) AS host
            FROM content.site s WHERE s.id = $1 FOR NO KEY UPDATE
        ), bite AS MATERIALIZED (
            SELECT i.id, i.url FROM content.item i
            WHERE split_part(i.url, '/', 3) = (SELECT o.host FROM own o)
              AND i.id > (SELECT o.enrolled_to FROM own o)
            ORDER BY i.id LIMIT $2 FOR NO KEY UPDATE OF i
        ), taken AS (
            UPDATE content.item i SET site = o.id
            FROM bite b, own o
            WHERE i.id = b.id AND starts_with(b.url, o.prefix)
              AND NOT EXISTS (
                  SELECT FROM content.site n
                  WHERE n.id = i.site AND n.refetches AND length(n.prefix) > length(o.prefix))
        )
        UPDATE content.site s
        SET enrolled_to = coalesce(
                (SELECT b.id FROM bite b ORDER BY b.id DESC LIMIT 1), s.enrolled_to),
            enrolled_at = CASE WHEN (SELECT count(*) FROM bite) < $2 THEN content.now() END
        WHERE s.id = $1
        RETURNING s.enrolled_at IS NOT NULL
        """
    let site: UUID
    var most = 1000

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(Int64(most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
