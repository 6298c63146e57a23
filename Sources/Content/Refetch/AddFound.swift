import Tenure
import TenureFoundation

/// Makes items of URLs that a site's sitemaps or feeds name, due at once, where nobody has fetched
/// them yet; of others nothing. Returns how many are due by that.
///
/// Items that are there are locked in the order of their ids.
struct AddFound: PostgresStatement {
    static let sql = """
        INSERT INTO content.item AS i (id, url, site, outcome, code, due_at)
        SELECT DISTINCT content.digest(u.href), u.href, s.id, 'skipped', 'found', content.now()
        FROM content.site s, unnest($2::text[]) AS u (href)
        WHERE s.id = $1 AND s.refetches AND s.discovers AND s.paused_at IS NULL
          AND starts_with(u.href, s.prefix)
        ORDER BY 1
        ON CONFLICT (id) DO UPDATE SET due_at = EXCLUDED.due_at, site = EXCLUDED.site
        WHERE i.due_at IS NULL AND i.version = 0 AND i.code IS DISTINCT FROM 'unfetchable'
        RETURNING true
        """
    let site: UUID
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(hrefs)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
