import Tenure
import TenureFoundation

/// Forgets items' references and anchors, and notes what they are not going to refer to any more;
/// their rows are locked.
struct DeleteEdges: PostgresStatement {
    static let sql = """
        WITH old_anchors AS (
            DELETE FROM content.anchor a WHERE a.item = ANY ($1)
        ), old AS (
            DELETE FROM content.reference r WHERE r.item = ANY ($1) RETURNING r.item, r.target
        )
        INSERT INTO content.dropped_edge (item, target)
        SELECT DISTINCT o.item, o.target FROM old o
        WHERE o.target IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest($2::uuid[], $3::uuid[]) AS k (item, target)
            WHERE k.item = o.item AND k.target = o.target)
        ON CONFLICT DO NOTHING
        """
    let items: [UUID]
    /// What they refer to from now on.
    var kept: [(item: UUID, target: UUID)] = []

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(items)
        try parameters.append(kept.map(\.item))
        try parameters.append(kept.map(\.target))
    }
}
