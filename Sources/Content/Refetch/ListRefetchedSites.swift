import Tenure
import TenureFoundation

/// The sites that have something to be done for in a round, those first whose turn was longest ago.
struct ListRefetchedSites: PostgresStatement {
    static let sql = """
        SELECT s.id FROM content.site s
        WHERE s.refetches AND s.paused_at IS NULL
          AND (s.enrolled_at IS NULL
            OR s.discovers AND (s.discovered_at > content.now() - interval '1 hour') IS NOT TRUE
            OR EXISTS (SELECT FROM content.item i
                       WHERE i.site = s.id AND i.due_at <= (SELECT content.now())))
        ORDER BY s.refetched_at NULLS FIRST, s.id
        """

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}
