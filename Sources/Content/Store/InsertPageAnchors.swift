import Tenure
import Web

/// Writes the places of several items that a fragment can point at; names are unique in each.
struct InsertPageAnchors: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT array_agg(content.digest(u.href) ORDER BY u.n) AS ids
            FROM unnest($1::text[]) WITH ORDINALITY AS u (href, n)
        )
        INSERT INTO content.anchor (item, id, line, name)
        SELECT page.ids[a.page], content.digest(a.name), a.line, a.name
        FROM page, unnest($2::int4[], $3::text[], $4::int4[]) AS a (page, name, line)
        """
    let items: [FetchedItem]

    func bind(_ parameters: inout PostgresParameters) throws {
        let anchors = items.flatMap(\.anchors)
        try parameters.append(items.map(\.url.href))
        try parameters.append(
            items.enumerated().flatMap { index, item in
                item.anchors.map { _ in Int32(clamping: index + 1) }
            })
        try parameters.append(anchors.map(\.name))
        try parameters.append(anchors.map { Int32(clamping: $0.position.line) })
    }
}
