import FoundationEssentials
import Tenure

/// What is remembered of a target; locks its row until the new memory is written.
struct ReadTarget: PostgresStatement {
    static let sql = """
        SELECT t.state, t.failures, t.first_broken_at, t.last_ok_at, t.next_href
        FROM content.target t WHERE t.id = content.digest($1) FOR NO KEY UPDATE
        """
    let href: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(href) }

    static func decode(_ row: borrowing PostgresRow) throws -> TargetHistory {
        let state = try row.decode(0, as: String.self)
        guard let state = TargetState(rawValue: state) else {
            throw ContentError(
                .newerDatabase, "a target's state is \"\(state)\": use a newer release")
        }
        return TargetHistory(
            state: state, failures: Int(try row.decode(1, as: Int32.self)),
            firstBrokenAt: try row.decode(2), lastOkAt: try row.decode(3),
            nextHref: try row.decode(4))
    }
}
