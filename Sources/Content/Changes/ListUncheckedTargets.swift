import Tenure
import TenureFoundation

/// What items refer to and nobody has ever looked at, or whose next look may have been dropped
/// with its last reference. A form's action is for whoever fills it in.
struct ListUncheckedTargets: PostgresStatement {
    static let sql = """
        SELECT DISTINCT t.href FROM content.reference r
        JOIN content.target t ON t.id = r.target
        WHERE r.item = ANY ($1::uuid[]) AND r.kind <> 'form'
          AND t.state IN ('unchecked', 'suspect')
        ORDER BY 1
        """
    let items: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// What items, or any, have stopped referring to, and whether nobody else does. An item's own
/// target is looked at for its own sake. What deleted items referred to, or what redirected to
/// them, comes along: nobody else sees to it.
struct ListDroppedEdges: PostgresStatement {
    static let sql = """
        SELECT d.item, d.target, coalesce(t.href, ''),
               t.id IS NOT NULL
               AND NOT EXISTS (SELECT FROM content.reference r WHERE r.target = d.target)
               AND NOT EXISTS (SELECT FROM content.item i WHERE i.id = d.target),
               coalesce(t.state = 'unchecked', false)
               AND NOT EXISTS (SELECT FROM content.item i WHERE i.id = d.item)
        FROM content.dropped_edge d LEFT JOIN content.target t ON t.id = d.target
        WHERE $1::uuid[] IS NULL OR d.item = ANY ($1)
           OR NOT EXISTS (SELECT FROM content.item i WHERE i.id = d.item)
        ORDER BY d.item, d.target LIMIT $2
        """
    /// Few enough that what was true of the first is so of the last.
    static let most = 500
    let items: [UUID]?

    struct Row: Sendable {
        let item: UUID
        let target: UUID
        let href: String
        let isUnneeded: Bool
        /// It redirected to a deleted item; where it leads now, nobody knows.
        let isForgotten: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(items)
        try parameters.append(Int64(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            item: try row.decode(0), target: try row.decode(1), href: try row.decode(2),
            isUnneeded: try row.decode(3), isForgotten: try row.decode(4))
    }
}

/// Which of these somebody refers to, and nobody has looked at as often as it takes.
struct ListNeededTargets: PostgresStatement {
    static let sql = """
        SELECT t.href FROM unnest($1::uuid[]) AS u (id) JOIN content.target t ON t.id = u.id
        WHERE t.state IN ('unchecked', 'suspect') AND (
            SELECT true FROM content.reference r
            WHERE r.target = t.id AND r.kind <> 'form' LIMIT 1)
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// They have been seen to. What is dropped once more meanwhile may be among them: nobody refers to
/// it, and its check was dropped just now.
struct ForgetDropped: PostgresStatement {
    static let sql = """
        DELETE FROM content.dropped_edge d USING unnest($1::uuid[], $2::uuid[]) AS g (item, target)
        WHERE d.item = g.item AND d.target = g.target
        """
    let edges: [ListDroppedEdges.Row]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(edges.map(\.item))
        try parameters.append(edges.map(\.target))
    }
}
