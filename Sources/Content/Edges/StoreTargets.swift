import Tenure

/// Makes sure that targets have a row. Those that have one are neither locked nor waited for;
/// new ones are made in the order of their ids, so that two who make the same never deadlock.
/// (A subquery for each, and no anti-join: that one reads the whole table.)
struct StoreTargets: PostgresStatement {
    static let sql = """
        INSERT INTO content.target (id, href)
        SELECT t.id, t.href
        FROM (SELECT content.digest(u.href) AS id, u.href FROM unnest($1::text[]) AS u (href)) AS t
        WHERE (SELECT k.id FROM content.target k WHERE k.id = t.id) IS NULL
        ORDER BY t.id
        ON CONFLICT DO NOTHING
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }
}
