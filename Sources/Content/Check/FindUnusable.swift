import Tenure
import TenureFoundation

/// References of a check that are no URL at all, or too long for one. Those that nobody here
/// fetches, for their scheme or for a user in them, may well lead somewhere.
struct FindUnusable: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        SELECT r.raw, 'badURL', NULL::int4, r.problem, NULL::text, 'broken',
               i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               NULL::timestamptz, NULL::timestamptz, r.ordinal
        FROM content.check_target v
        JOIN content.item i ON i.id = v.target
        JOIN content.reference r ON r.item = v.target
        WHERE v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page)
          AND r.problem IS NOT NULL AND r.problem NOT IN ('scheme', 'userinfo in the URL')
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
