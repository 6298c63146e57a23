import Tenure
import TenureFoundation
import Web

/// What the visit of a check's first URL came to, or of where that redirects to in the end.
struct DescribeStart: PostgresStatement {
    static let sql = """
        WITH RECURSIVE way AS (
            SELECT v.target, v.state, v.code, v.detail, v.next, 0 AS hops
            FROM content.check_target v WHERE v.check_id = $1 AND v.target = content.digest($2)
            UNION ALL
            SELECT v.target, v.state, v.code, v.detail, v.next, w.hops + 1
            FROM way w JOIN content.check_target v ON v.check_id = $1 AND v.target = w.next
            WHERE w.state = 'redirected' AND w.hops < \(Redirects.most)
        )
        SELECT t.href, w.state, w.code, w.detail, w.hops > 0,
               coalesce(i.media_type = 'text/css' AND i.seen_at IS NOT NULL, false)
        FROM way w JOIN content.target t ON t.id = w.target
        LEFT JOIN content.item i ON i.id = w.target
        ORDER BY w.hops DESC LIMIT 1
        """
    let check: StartedCheck

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check.id)
        try parameters.append(check.start.href)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> StartVisit {
        StartVisit(
            href: try row.decode(0), state: try row.decode(1), code: try row.decode(2),
            detail: try row.decode(3), isRedirected: try row.decode(4), isSheet: try row.decode(5))
    }
}

struct StartVisit: Sendable {
    let href: String
    let state: String
    let code: String?
    let detail: String?
    let isRedirected: Bool
    /// A style sheet is no page, and read all the same.
    let isSheet: Bool

    /// Of a start that gave no page, without secrets.
    var problem: String? {
        if isSheet { return nil }
        if isRedirected {
            return "it redirects to \(URLRedaction.text(href)); check that, if it is meant"
        }
        guard state == TargetState.ok.rawValue else {
            let why = detail.map { ", " + URLRedaction.text($0) } ?? ""
            return "\(state) (\(code ?? "no answer")\(why)); give the URL of one that can be read"
        }
        return "it is no HTML document; give the URL of one"
    }
}
