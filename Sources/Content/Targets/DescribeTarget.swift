import Tenure
import TenureFoundation

/// How a URL was when somebody last looked.
struct DescribeTarget: PostgresStatement {
    static let sql = """
        SELECT t.state, t.code, t.status, t.failures, t.checked_at, t.first_broken_at,
               t.last_ok_at, t.next_href
        FROM content.target t WHERE t.id = content.digest($1)
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> TargetStory {
        TargetStory(
            state: try row.decode(0, known: TargetState.self), code: try row.decode(1),
            status: try row.number(2),
            failures: try row.count(3), checkedAt: try row.decode(4),
            firstBrokenAt: try row.decode(5), lastOkAt: try row.decode(6),
            next: try row.decode(7))
    }
}

/// The latest changes of a URL's state.
struct ListTargetEvents: PostgresStatement {
    static let sql = """
        SELECT e.at, e.before, e.after, coalesce(e.code, '#' || e.fragment)
        FROM content.target_event e
        WHERE e.target = content.digest($1) ORDER BY e.at DESC LIMIT 20
        """
    let url: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(url) }

    static func decode(_ row: borrowing PostgresRow) throws -> TargetEvent {
        TargetEvent(
            at: try row.decode(0), before: try row.decode(1), after: try row.decode(2),
            code: try row.decode(3))
    }
}
