import Tenure
import TenureFoundation

/// Notes that a site had its turn in a round, and what kept it from being served.
struct NoteRefetch: PostgresStatement {
    static let sql = """
        UPDATE content.site SET refetched_at = content.now(), refetch_why = $2 WHERE id = $1
        """
    let site: UUID
    let why: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(why?.storable)
    }
}

/// Notes that a site's sitemaps and feeds are asked.
struct NoteDiscovery: PostgresStatement {
    static let sql = "UPDATE content.site SET discovered_at = content.now() WHERE id = $1"
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }
}
