import Tenure
import TenureFoundation

/// Removes a site. Returns its last check.
struct RemoveSite: PostgresStatement {
    static let sql = "DELETE FROM content.site WHERE id = $1 RETURNING last_check"
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID? {
        try row.decode(0, as: UUID?.self)
    }
}

/// Gives the items of a removed site back to those that it lay in: they are looked through anew.
struct ReopenSites: PostgresStatement {
    static let sql = """
        UPDATE content.site s
        SET enrolled_at = NULL, enrolled_to = '00000000-0000-0000-0000-000000000000'
        WHERE s.refetches AND starts_with($1, s.prefix)
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }
}

/// Forgets the sitemaps of a site.
struct ForgetSitemaps: PostgresStatement {
    static let sql = "DELETE FROM content.sitemap WHERE site = $1"
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }
}

/// Forgets what was known to be broken on it.
struct ForgetBroken: PostgresStatement {
    static let sql = "DELETE FROM content.site_broken WHERE site = $1"
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }
}

/// The items that belong to a site: those of its host, by their index, below its folder.
struct ListSiteItems: PostgresStatement {
    static let sql = """
        SELECT i.id FROM content.item i
        WHERE split_part(i.url, '/', 3) = split_part($1, '/', 3) AND starts_with(i.url, $1)
        ORDER BY i.url
        """
    let prefix: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(prefix) }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}
