import Tenure
import Web

/// Forgets the references and anchors of items, and notes what they are not going to refer to any
/// more; their rows are locked.
struct DeletePageEdges: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT content.digest(u.href) AS id FROM unnest($1::text[]) AS u (href)
        ), old_anchors AS (
            DELETE FROM content.anchor a WHERE a.item = ANY (array(SELECT p.id FROM page p))
        ), old AS (
            DELETE FROM content.reference r WHERE r.item = ANY (array(SELECT p.id FROM page p))
            RETURNING r.item, r.target
        ), new AS MATERIALIZED (
            SELECT content.digest(e.page) AS item, content.digest(e.target) AS target
            FROM unnest($2::text[], $3::text[]) AS e (page, target)
            WHERE EXISTS (SELECT FROM old)
        )
        INSERT INTO content.dropped_edge (item, target)
        SELECT DISTINCT o.item, o.target FROM old o
        WHERE o.target IS NOT NULL AND (o.item, o.target) NOT IN (
            SELECT n.item, n.target FROM new n)
        ON CONFLICT DO NOTHING
        """
    let items: [FetchedItem]
    /// URLs of items that are no documents any more.
    let forgotten: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        let edges = items.flatMap { item in
            item.targets.map { (page: item.url.href, target: $0.href) }
        }
        try parameters.append(items.map(\.url.href) + forgotten)
        try parameters.append(edges.map(\.page))
        try parameters.append(edges.map(\.target))
    }
}
