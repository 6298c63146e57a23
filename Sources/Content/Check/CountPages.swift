import Tenure
import TenureFoundation

/// How many pages of its site a check has so far, visited or to be visited; no more than are asked
/// for.
struct CountPages: PostgresStatement {
    static let sql = """
        SELECT count(*)
        FROM (SELECT FROM content.check_target
              WHERE check_id = $1 AND mode = 'page' AND state <> 'skipped' LIMIT $2) AS p
        """
    let check: UUID
    let most: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(clamping: most)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.total(0) }
}

/// Pages that a check has no room for are in it, and left out.
struct SkipPages: PostgresStatement {
    static let sql = """
        UPDATE content.check_target k SET state = 'skipped', code = '\(code)'
        FROM (SELECT content.digest(p.href) AS id FROM unnest($2::text[]) AS p (href)
              ORDER BY 1) AS p
        WHERE k.check_id = $1 AND k.target = p.id
        """
    static let code = "beyondLimit"

    let check: UUID
    let hrefs: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(hrefs)
    }
}
