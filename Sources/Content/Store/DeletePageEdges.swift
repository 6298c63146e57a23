import Tenure

/// Forgets the references and anchors of items; their rows are locked.
struct DeletePageEdges: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT content.digest(u.href) AS id FROM unnest($1::text[]) AS u (href)
        ), old_anchors AS (
            DELETE FROM content.anchor a WHERE a.item = ANY (array(SELECT p.id FROM page p))
        )
        DELETE FROM content.reference r WHERE r.item = ANY (array(SELECT p.id FROM page p))
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }
}
