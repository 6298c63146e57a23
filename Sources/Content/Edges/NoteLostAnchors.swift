import Tenure
import TenureFoundation
import Web

/// Remembers when anchors were last there that documents have lost, if something refers to them:
/// when the document was. Comes before the old anchors are forgotten, and the targets are seen to
/// be well; the items are locked.
struct NoteLostAnchors: PostgresStatement {
    static let sql = """
        INSERT INTO content.target_fragment AS f (
            target, id, fragment, state, last_ok_at, checked_at)
        SELECT a.item, a.id, a.name, 'ok', t.last_ok_at, t.last_ok_at
        FROM content.anchor a
        JOIN content.target t ON t.id = a.item
        WHERE a.item = ANY ($1) AND t.last_ok_at IS NOT NULL
          AND NOT EXISTS (
              SELECT FROM unnest($2::uuid[], $3::uuid[]) AS k (item, id)
              WHERE k.item = a.item AND k.id = a.id)
          AND (SELECT true FROM content.reference r
               WHERE r.target = a.item AND r.fragment = a.name LIMIT 1)
        ORDER BY a.item, a.id
        ON CONFLICT (target, id) DO UPDATE SET last_ok_at = EXCLUDED.last_ok_at
        WHERE f.state = 'ok'
        """
    let items: [UUID]
    /// The ones that they have from now on.
    let anchors: [StoreAnchors.Entry]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(items)
        try parameters.append(anchors.map(\.item))
        try parameters.append(anchors.map(\.id))
    }
}
