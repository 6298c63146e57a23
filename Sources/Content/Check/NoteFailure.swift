import FoundationEssentials
import Tenure

/// Counts a look of a run that failed and will be tried again.
struct NoteFailure: PostgresStatement {
    static let sql = """
        UPDATE content.run_target SET failures = failures + 1, code = $3, checked_at = content.now()
        WHERE run = $1 AND target = content.digest($2)
        """
    let run: UUID
    let url: String
    let code: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(url)
        try parameters.append(code)
    }
}

/// How often a run has looked at a URL in vain.
struct CountFailures: PostgresStatement {
    static let sql = """
        SELECT v.failures FROM content.run_target v
        WHERE v.run = $1 AND v.target = content.digest($2)
        """
    let run: UUID
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(url)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        try row.count(0)
    }
}
