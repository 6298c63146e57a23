import Tenure

/// Writes that documents are as they were. Locks them in the order of their ids.
struct ConfirmPages: PostgresStatement {
    static let sql = """
        WITH held AS MATERIALIZED (
            SELECT i.id FROM (
                SELECT content.digest(u.href) AS id FROM unnest($1::text[]) AS u (href)
                ORDER BY 1) AS u
            CROSS JOIN LATERAL (
                SELECT i.id FROM content.item i WHERE i.id = u.id FOR NO KEY UPDATE) AS i
        )
        UPDATE content.item i SET outcome = 'unchanged', attempted_at = clock_timestamp(),
            seen_at = clock_timestamp()
        WHERE i.id = ANY (array(SELECT h.id FROM held h))
        """
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hrefs) }
}
