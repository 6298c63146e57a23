import Tenure

/// As `StoreTargets`, in a transaction of its own. Its commit waits for no disk: whatever refers to
/// the targets is committed later, and not on disk before they are.
struct NoteTargets: PostgresStatement {
    static let sql = """
        INSERT INTO content.target (id, href)
        SELECT t.id, t.href
        FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS quick,
             (SELECT content.digest(u.href) AS id, u.href FROM unnest($1::text[]) AS u (href)) AS t
        WHERE NOT EXISTS (SELECT FROM content.target k WHERE k.id = t.id)
        ORDER BY t.id
        ON CONFLICT DO NOTHING
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }
}
