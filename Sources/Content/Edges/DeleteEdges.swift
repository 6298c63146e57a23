import FoundationEssentials
import Tenure

/// Forgets an item's references and anchors, and notes what it is not going to refer to any more;
/// its row is locked.
struct DeleteEdges: PostgresStatement {
    static let sql = """
        WITH old_anchors AS (
            DELETE FROM content.anchor WHERE item = $1
        ), old AS (
            DELETE FROM content.reference r WHERE r.item = $1 RETURNING r.target
        )
        INSERT INTO content.dropped_edge (item, target)
        SELECT DISTINCT $1, o.target FROM old o
        WHERE o.target IS NOT NULL AND o.target <> ALL ($2::uuid[])
        ON CONFLICT DO NOTHING
        """
    let item: UUID
    /// What it refers to from now on.
    let targets: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(targets)
    }
}
