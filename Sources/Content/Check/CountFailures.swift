import FoundationEssentials
import Tenure

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
        Int(try row.decode(0, as: Int32.self))
    }
}
