import Tenure

/// Forgets an item's references and anchors, and notes what it is not going to refer to any more;
/// its row is locked.
struct DeleteEdges: PostgresStatement {
    static let sql = """
        WITH old_anchors AS (
            DELETE FROM content.anchor WHERE item = content.digest($1)
        ), old AS (
            DELETE FROM content.reference r WHERE r.item = content.digest($1) RETURNING r.target
        ), new AS MATERIALIZED (
            SELECT content.digest(u.href) AS target FROM unnest($2::text[]) AS u (href)
        )
        INSERT INTO content.dropped_edge (item, target)
        SELECT DISTINCT content.digest($1), o.target FROM old o
        WHERE o.target IS NOT NULL AND o.target NOT IN (SELECT n.target FROM new n)
        ON CONFLICT DO NOTHING
        """
    let url: String
    /// What it refers to from now on.
    let targets: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(targets)
    }
}
