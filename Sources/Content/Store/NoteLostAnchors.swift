import Tenure
import Web

/// Remembers when anchors were last there that documents have lost, if something refers to them:
/// when their documents were. Comes before the old anchors are forgotten, and the targets are seen
/// to be well; the items are locked.
struct NoteLostAnchors: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT content.digest(u.href) AS id, u.n
            FROM unnest($1::text[]) WITH ORDINALITY AS u (href, n)
        ), kept AS MATERIALIZED (
            SELECT p.id AS item, content.digest(a.name) AS id
            FROM unnest($2::int8[], $3::text[]) AS a (page, name) JOIN page p ON p.n = a.page
        )
        INSERT INTO content.target_fragment AS f (
            target, id, fragment, state, last_ok_at, checked_at)
        SELECT a.item, a.id, a.name, 'ok', t.last_ok_at, t.last_ok_at
        FROM page p
        JOIN content.anchor a ON a.item = p.id
        JOIN content.target t ON t.id = p.id
        WHERE t.last_ok_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM kept k WHERE k.item = a.item AND k.id = a.id)
          AND (SELECT true FROM content.reference r
               WHERE r.target = a.item AND r.fragment = a.name LIMIT 1)
        ORDER BY a.item, a.id
        ON CONFLICT (target, id) DO UPDATE SET last_ok_at = EXCLUDED.last_ok_at
        WHERE f.state = 'ok'
        """
    private let pages: [(href: String, anchors: [Anchor])]

    /// - Parameter forgotten: URLs of items that are no documents any more.
    init(items: [FetchedItem], forgotten: [String]) {
        pages = items.map { ($0.url.href, $0.anchors) } + forgotten.map { ($0, []) }
    }

    /// Of a single document, and the anchors that it has from now on.
    init(url: WebURL, anchors: [Anchor]) {
        pages = [(url.href, anchors)]
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(pages.map(\.href))
        try parameters.append(
            pages.enumerated().flatMap { index, page in page.anchors.map { _ in Int64(index + 1) } }
        )
        try parameters.append(pages.flatMap(\.anchors).map(\.name))
    }
}
