import Tenure
import TenureFoundation
import Web

/// What a check looks for in a target, and hasn't found out yet.
struct ListPlaces: PostgresStatement {
    static let sql = """
        SELECT p.id, p.name, p.raw FROM content.check_place p
        WHERE p.check_id = $1 AND p.target = content.digest($2) AND p.state IS NULL
        ORDER BY p.id
        """
    let check: UUID
    let url: WebURL

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url.href)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> WantedPlace {
        WantedPlace(id: try row.decode(0), name: try row.decode(1), raw: try row.decode(2))
    }
}

/// Something that a link says is in its target.
struct WantedPlace: Sendable {
    let id: UUID
    /// A fragment, decoded, or a passage of text as it is written: `:~:text=…`.
    let name: String
    /// A fragment as it is written, where that is another text.
    let raw: String?

    var isText: Bool { name.hasPrefix(TextDirective.mark) }
}

/// Writes whether they are there.
struct SettlePlaces: PostgresStatement {
    static let sql = """
        UPDATE content.check_place p SET state = u.state
        FROM (SELECT u.id, u.state FROM unnest($3::uuid[], $4::text[]) AS u (id, state)
              ORDER BY u.id) AS u
        WHERE p.check_id = $1 AND p.target = content.digest($2) AND p.id = u.id
          AND p.state IS NULL
        """
    let check: UUID
    let url: WebURL
    let verdicts: [(id: UUID, verdict: PlaceVerdict)]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url.href)
        try parameters.append(verdicts.map(\.id))
        try parameters.append(verdicts.map(\.verdict.rawValue))
    }
}

/// Looks for all of them where a target redirects to; a row for each that nobody has looked for
/// there.
struct MovePlaces: PostgresStatement {
    static let sql = """
        WITH moved AS (
            UPDATE content.check_place p SET state = 'moved', next = content.digest($3)
            WHERE p.check_id = $1 AND p.target = content.digest($2) AND p.state IS NULL
            RETURNING p.id, p.name, p.raw
        )
        INSERT INTO content.check_place (check_id, target, id, name, raw)
        SELECT $1, content.digest($3), m.id, m.name, m.raw FROM moved m ORDER BY m.id
        ON CONFLICT DO NOTHING
        RETURNING true
        """
    let check: UUID
    let url: WebURL
    let next: WebURL

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url.href)
        try parameters.append(next.href)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
