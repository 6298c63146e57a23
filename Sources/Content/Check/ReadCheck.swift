import Tenure
import TenureFoundation
import Web

/// A check, as it was started. Whoever started it wrote the row: what is out of bounds is refused
/// with the field's name, as at the start.
struct ReadCheck: PostgresStatement {
    static let sql = """
        SELECT r.id, r.start, r.folder, r.options, r.started_at, r.finished_at,
               r.cancelled_at, r.site
        FROM content.site_check r WHERE r.id = $1
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> StartedCheck {
        let options = try row.decode(3, as: PostgresJSON.self)
        return StartedCheck(
            id: try row.decode(0), start: try CheckableURL.parse(row.decode(1, as: String.self)),
            folder: try row.decode(2),
            options: try SiteCheckOptions.decode(options.bytes),
            startedAt: try row.decode(4), finishedAt: try row.decode(5),
            cancelledAt: try row.decode(6), site: try row.decode(7))
    }
}

/// Whether a check has neither ended nor been cancelled: also of one that can't be read otherwise.
struct ReadCheckState: PostgresStatement {
    static let sql = """
        SELECT r.finished_at IS NULL AND r.cancelled_at IS NULL
        FROM content.site_check r WHERE r.id = $1
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
