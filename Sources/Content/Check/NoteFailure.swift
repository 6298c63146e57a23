import Tenure
import TenureFoundation

/// Counts a look of a check that failed and will be tried again.
struct NoteFailure: PostgresStatement {
    static let sql = """
        UPDATE content.check_target
        SET failures = failures + 1, code = $3, checked_at = content.now()
        WHERE check_id = $1 AND target = content.digest($2)
        """
    let check: UUID
    let url: String
    let code: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url)
        try parameters.append(code)
    }
}

/// How often a check has looked at a URL in vain.
struct CountFailures: PostgresStatement {
    static let sql = """
        SELECT v.failures FROM content.check_target v
        WHERE v.check_id = $1 AND v.target = content.digest($2)
        """
    let check: UUID
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        try row.count(0)
    }
}
