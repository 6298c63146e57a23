import Tenure
import Web

/// Writes the places of an item that a fragment can point at; names are unique.
struct InsertAnchors: PostgresStatement {
    static let sql = """
        INSERT INTO content.anchor (item, id, line, name)
        SELECT content.digest($1), content.digest(a.name), a.line, a.name
        FROM unnest($2::text[], $3::int4[]) AS a (name, line)
        """
    let url: String
    let anchors: [Anchor]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(url)
        try parameters.append(anchors.map(\.name))
        try parameters.append(anchors.map { Int32(clamping: $0.position.line) })
    }
}
