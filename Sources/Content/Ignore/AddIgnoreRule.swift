import Tenure
import TenureFoundation

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
        try parameters.append(whom: whom)
        try parameters.append(until)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> IgnoreRule { try IgnoreRule(row) }
}

/// The rules that are made for all, and after them those of a check.
struct ListIgnoreRules: PostgresStatement {
    static let sql = """
        SELECT r.id, r.target, r.code, r.page, r.reason, r.made_by, r.made_at,
               to_char(r.until, 'YYYY-MM-DD'),
               coalesce(r.until < (content.now() AT TIME ZONE 'UTC')::date, false), r.ordinal
        FROM (
            SELECT i.id, i.target, i.code, i.page, i.reason, i.made_by, i.made_at, i.until,
                   NULL::bigint AS ordinal
            FROM content.ignore_rule i
            UNION ALL
            SELECT NULL, k.target, k.code, k.page, k.reason, k.made_by, k.made_at, k.until::date,
                   k.ordinal
            FROM unnest(
                $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
                $7::text[]
            ) WITH ORDINALITY
                AS k (target, code, page, reason, made_by, made_at, until, ordinal)
        ) AS r
        ORDER BY r.ordinal NULLS FIRST, r.id
        """
    var kept: [KeptIgnoreRule] = []

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kept.map { URLRedaction.reference($0.target) })
        try parameters.append(kept.map(\.code))
        try parameters.append(kept.map { $0.page.map(URLRedaction.reference) })
        try parameters.append(kept.map(\.reason))
        try parameters.append(kept.map(\.madeBy))
        try parameters.append(kept.map(\.madeAt))
        try parameters.append(kept.map(\.until))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (rule: IgnoreRule, ordinal: Int?) {
        (try IgnoreRule(row), try row.decode(9, as: Int64?.self).map { Int(clamping: $0) })
    }

    /// In the order in which they were made, those of the check at the end.
    static func all(
        with kept: [KeptIgnoreRule] = [], in pool: PostgresPool
    ) async throws -> [IgnoreRule] {
        rules(of: try await pool.execute(ListIgnoreRules(kept: kept)), with: kept)
    }

    /// Of what it returned. Each of the check's own says where it stands.
    static func rules(
        of rows: [(rule: IgnoreRule, ordinal: Int?)], with kept: [KeptIgnoreRule] = []
    ) -> [IgnoreRule] {
        rows.map { rule, ordinal in
            var rule = rule
            // Bounded: by the rows that were sent.
            if let ordinal { rule.source = kept[ordinal - 1].source }
            return rule
        }
    }
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
