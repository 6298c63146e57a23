import Tenure
import TenureFoundation
import Web

/// References of a check to `http://` on pages that are `https://`, or will be: a folder's. This
/// machine is as good as secure (Secure Contexts, section 3.1).
struct FindInsecure: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        SELECT t.href,
               CASE WHEN r.kind IN (\(followed)) THEN 'insecureLink' ELSE 'mixedContent' END,
               NULL::int4,
               CASE WHEN r.kind IN (\(followed)) THEN 'leads away from https'
                    ELSE 'loaded without https, by a page that has it' END,
               NULL::text, 'broken', i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               NULL::timestamptz, NULL::timestamptz, r.ordinal
        FROM content.check_target v
        JOIN content.item i ON i.id = v.target
        JOIN content.reference r ON r.item = v.target
        JOIN content.target t ON t.id = r.target
        WHERE $3 AND v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page)
          AND (starts_with(i.url, $4::text) OR starts_with(i.url, 'https://'))
          AND starts_with(t.href, 'http://')
          AND t.href !~ '^http://(localhost|[^/:]+\\.localhost|127\\.[0-9.]+|\\[::1\\])(:|/)'
        """)
    /// What takes a reader elsewhere; the rest is loaded into the page.
    private static let followed =
        [
            Reference.Kind.anchor, .area, .form, .canonical, .alternate, .feed, .metaRefresh, .link,
        ].map { "'\($0.rawValue)'" }.joined(separator: ", ") + ", 'loc'"

    let check: StartedCheck
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check.id)
        try parameters.append(most.map(Int64.init))
        try parameters.append(check.options.rules.aspects.insecureLinks)
        try parameters.append(check.servedPrefix)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
