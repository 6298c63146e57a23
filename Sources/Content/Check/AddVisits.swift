import Tenure
import TenureFoundation
import Web

/// Gives a check more to visit, and returns what is new to it and not to be skipped: the one who
/// adds a URL enqueues its visit. Rows are made in the order of their ids;
/// those that are there are not waited for.
struct AddVisits: PostgresStatement {
    static let sql = """
        WITH added AS (
            INSERT INTO content.check_target (
                check_id, target, depth, hops, follows, mode, state, code)
            SELECT $1, v.id, $2, $3, v.follows, v.mode,
                   CASE WHEN v.code IS NULL THEN 'unchecked' ELSE 'skipped' END, v.code
            FROM (SELECT content.digest(u.href) AS id, u.follows, u.mode, u.code
                  FROM unnest($4::text[], $5::bool[], $6::text[], $7::text[])
                       AS u (href, follows, mode, code)) AS v
            WHERE NOT EXISTS (
                SELECT FROM content.check_target k WHERE k.check_id = $1 AND k.target = v.id)
            ORDER BY v.id
            ON CONFLICT DO NOTHING
            RETURNING target, state
        )
        SELECT t.href FROM added a JOIN content.target t ON t.id = a.target
        WHERE a.state = 'unchecked' ORDER BY t.href
        """
    let check: UUID
    let depth: Int
    let hops: Int
    let visits: [PlannedVisit]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(clamping: depth)
        try parameters.append(clamping: hops)
        try parameters.append(visits.map(\.url.href))
        try parameters.append(visits.map(\.follows))
        try parameters.append(visits.map(\.mode.rawValue))
        try parameters.append(visits.map(\.skipCode))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
