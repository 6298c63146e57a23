import Tenure
import TenureFoundation

/// How much of a check is visited; no row for a check that isn't there.
struct CountVisits: PostgresStatement {
    static let sql = """
        SELECT count(*) FILTER (WHERE v.is_page AND v.follows),
               coalesce(sum(i.reference_count) FILTER (WHERE v.is_page AND v.follows), 0)::int8,
               coalesce(sum(v.failures), 0)::int8,
               count(*) FILTER (WHERE v.state = 'unchecked'),
               count(*) FILTER (WHERE v.state = 'ok'),
               count(*) FILTER (WHERE v.state = 'redirected'),
               count(*) FILTER (WHERE v.state = 'suspect'),
               count(*) FILTER (WHERE v.state = 'broken'),
               count(*) FILTER (WHERE v.state = 'blocked'),
               count(*) FILTER (WHERE v.state = 'skipped'),
               count(*) FILTER (WHERE v.code = 'noContact'),
               -- A page that says who may read it has answered.
               count(*) FILTER (WHERE v.mode = 'page' AND (
                   v.state = 'blocked' AND v.code IN ('429', '503', 'hostOnHold', 'challenge')
                   OR v.state IN ('blocked', 'skipped') AND v.depth = 0 AND v.hops = 0)),
               count(*) FILTER (WHERE v.code = 'excluded'),
               count(*) FILTER (WHERE v.code = 'accepted'),
               count(*) FILTER (
                   WHERE v.is_page AND NOT v.follows AND \(SpreadCheck.isEndless("i.url"))),
               count(*) FILTER (WHERE v.code = '\(SkipPages.code)'),
               (SELECT count(*) FROM content.check_mail m
                WHERE m.check_id = $1 AND m.code = '\(CheckMail.unasked)')
        FROM content.site_check r
        JOIN content.check_target v ON v.check_id = r.id
        LEFT JOIN content.item i ON i.id = v.target AND v.is_page
        WHERE r.id = $1
        GROUP BY r.id
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> CheckProgress {
        let states: [TargetState] = [
            .unchecked, .ok, .redirected, .suspect, .broken, .blocked, .skipped,
        ]
        var targets: [TargetState: Int] = [:]
        for (index, state) in states.enumerated() {
            let count = try row.total(index + 3)
            if count > 0 { targets[state] = count }
        }
        return CheckProgress(
            pages: try row.total(0),
            references: try row.total(1), targets: targets,
            retries: try row.total(2),
            skippedForContact: try row.total(10),
            unreadPages: try row.total(11),
            excluded: try row.total(12), accepted: try row.total(13),
            endless: try row.total(14), beyondLimit: try row.total(15),
            unaskedMail: try row.total(16))
    }
}
