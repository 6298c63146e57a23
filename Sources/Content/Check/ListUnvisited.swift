import Tenure
import TenureFoundation

/// Where a check begins.
struct ListUnvisited: PostgresStatement {
    static let sql = """
        SELECT t.href FROM content.check_target v JOIN content.target t ON t.id = v.target
        WHERE v.check_id = $1 AND v.depth = 0 AND v.hops = 0 AND v.state = 'unchecked'
        ORDER BY t.href
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
