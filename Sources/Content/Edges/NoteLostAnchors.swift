import FoundationEssentials
import Tenure
import Web

/// Remembers when anchors were last there that a document has lost, if something refers to them:
/// when the document was. Comes before the old anchors are forgotten, and the target is seen to be
/// well; the item is locked.
struct NoteLostAnchors: PostgresStatement {
    static let sql = """
        INSERT INTO content.target_fragment AS f (
            target, id, fragment, state, last_ok_at, checked_at)
        SELECT a.item, a.id, a.name, 'ok', t.last_ok_at, t.last_ok_at
        FROM content.anchor a
        JOIN content.target t ON t.id = a.item
        WHERE a.item = $1 AND t.last_ok_at IS NOT NULL AND a.id <> ALL ($2::uuid[])
          AND (SELECT true FROM content.reference r
               WHERE r.target = a.item AND r.fragment = a.name LIMIT 1)
        ORDER BY a.id
        ON CONFLICT (target, id) DO UPDATE SET last_ok_at = EXCLUDED.last_ok_at
        WHERE f.state = 'ok'
        """
    let item: UUID
    /// The ones that it has from now on.
    let anchors: [Anchor]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(anchors.map { Digest.id(of: $0.name) })
    }
}
