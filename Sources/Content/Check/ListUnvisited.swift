import FoundationEssentials
import Tenure

/// Where a run begins.
struct ListUnvisited: PostgresStatement {
    static let sql = """
        SELECT t.href FROM content.run_target v JOIN content.target t ON t.id = v.target
        WHERE v.run = $1 AND v.depth = 0 AND v.hops = 0 AND v.state = 'unchecked'
        ORDER BY t.href
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
