import Tenure
import TenureFoundation

/// A site whose items are fetched again; no row where they are not, or not now.
struct ReadRefetchedSite: PostgresStatement {
    static let sql = """
        SELECT s.id, s.url, s.options, s.enrolled_at IS NOT NULL,
               s.discovers AND (s.discovered_at > content.now() - interval '1 hour') IS NOT TRUE
        FROM content.site s WHERE s.id = $1 AND s.refetches AND s.paused_at IS NULL
        """
    let id: UUID

    struct Row: Sendable {
        let id: UUID
        let url: String
        let options: [UInt8]
        let isEnrolled: Bool
        let wantsDiscovery: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            id: try row.decode(0), url: try row.decode(1),
            options: try row.decode(2, as: PostgresJSON.self).bytes,
            isEnrolled: try row.decode(3), wantsDiscovery: try row.decode(4))
    }
}
