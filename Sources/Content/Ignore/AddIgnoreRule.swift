import FoundationEssentials
import Tenure

/// Makes a rule; no row where its last day is over already.
struct AddIgnoreRule: PostgresStatement {
    static let sql = """
        INSERT INTO content.ignore_rule AS i (target, code, page, reason, made_by, until)
        SELECT n.target, n.code, n.page, n.reason, n.made_by, n.until
        FROM (SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text::date)
            AS n (target, code, page, reason, made_by, until)
        WHERE n.until IS NULL OR n.until >= (content.now() AT TIME ZONE 'UTC')::date
        RETURNING i.id, i.target, i.code, i.page, i.reason, i.made_by, i.made_at,
                  to_char(i.until, 'YYYY-MM-DD'), false
        """
    let target: String
    let code: String?
    let page: String?
    let reason: String
    let whom: String
    let until: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(target)
        try parameters.append(code)
        try parameters.append(page)
        try parameters.append(reason)
        try parameters.append(whom)
        try parameters.append(until)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> IgnoreRule { try IgnoreRule(row) }
}

struct ListIgnoreRules: PostgresStatement {
    static let sql = """
        SELECT i.id, i.target, i.code, i.page, i.reason, i.made_by, i.made_at,
               to_char(i.until, 'YYYY-MM-DD'),
               coalesce(i.until < (content.now() AT TIME ZONE 'UTC')::date, false)
        FROM content.ignore_rule i ORDER BY i.id
        """

    static func decode(_ row: borrowing PostgresRow) throws -> IgnoreRule { try IgnoreRule(row) }
}

struct RemoveIgnoreRule: PostgresStatement {
    static let sql = """
        DELETE FROM content.ignore_rule i WHERE i.id = $1
        RETURNING i.id, i.target, i.code, i.page, i.reason, i.made_by, i.made_at,
                  to_char(i.until, 'YYYY-MM-DD'),
                  coalesce(i.until < (content.now() AT TIME ZONE 'UTC')::date, false)
        """
    let rule: Int64

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(rule) }

    static func decode(_ row: borrowing PostgresRow) throws -> IgnoreRule { try IgnoreRule(row) }
}

extension IgnoreRule {
    /// The columns of these statements, in their order.
    fileprivate init(_ row: borrowing PostgresRow) throws {
        self.init(
            id: try row.decode(0), target: try row.decode(1), code: try row.decode(2),
            page: try row.decode(3), reason: try row.decode(4), madeBy: try row.decode(5),
            madeAt: try row.decode(6), until: try row.decode(7), hasEnded: try row.decode(8))
    }
}
