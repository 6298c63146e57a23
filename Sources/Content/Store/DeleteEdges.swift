import Tenure

/// Forgets an item's references and anchors; its row is locked.
struct DeleteEdges: PostgresStatement {
    static let sql = """
        WITH old_anchors AS (
            DELETE FROM content.anchor WHERE item = content.digest($1)
        )
        DELETE FROM content.reference WHERE item = content.digest($1)
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }
}
