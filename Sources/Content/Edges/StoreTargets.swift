import Tenure

/// Makes sure that targets have a row. Those that have one are neither locked nor waited for;
/// new ones are made in the order of their ids, so that two who make the same never deadlock.
/// (A subquery for each, and no anti-join: that one reads the whole table.)
struct StoreTargets: PostgresStatement {
    static let sql = """
        INSERT INTO content.target (id, href)
        SELECT t.id, t.href
        FROM (SELECT CASE WHEN $2 THEN set_config('synchronous_commit', 'off', true) END
              OFFSET 0) AS quick,
             (SELECT content.digest(u.href) AS id, u.href
              FROM unnest((SELECT $1::text[])) AS u (href) OFFSET 0) AS t
        WHERE (SELECT k.id FROM content.target k WHERE k.id = t.id) IS NULL
        ORDER BY t.id
        ON CONFLICT DO NOTHING
        """
    let hrefs: [String]
    /// Its commit waits for no disk: for a transaction of its own, where whatever refers to the
    /// targets is committed later, and so not on disk before they are.
    var isQuick = false

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(hrefs)
        try parameters.append(isQuick)
    }
}
