import Tenure
import TenureFoundation

/// Pages of a check's site that are one page, byte for byte, where most of them are: a server that
/// answers whatever it is asked for with its start page, or with the page for what is missing.
struct FindAlike: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT i.url, i.hash FROM content.check_target v
            JOIN content.item i ON i.id = v.target
            WHERE v.check_id = $1 AND v.mode = 'page' AND v.is_page AND i.hash IS NOT NULL
        ), most AS MATERIALIZED (
            SELECT p.hash, count(*) AS pages FROM page p GROUP BY p.hash
            ORDER BY pages DESC, p.hash LIMIT 1
        )
        SELECT p.url, (SELECT count(*) FROM page) FROM page p JOIN most m ON m.hash = p.hash
        WHERE m.pages >= \(fewest) AND m.pages * 2 > (SELECT count(*) FROM page)
        """
    /// Some sites have a few pages that are the same.
    static let fewest = 50
    /// Of so many, if nearly all are, it is said although nothing else is wrong with them.
    private static let many = 200

    /// Whether it is to be said.
    /// - Parameters:
    ///   - alike: what the statement has found.
    ///   - wrong: targets that say that they aren't there, or lack an anchor.
    static func isWorthSaying(_ alike: [Row], wrong: some Sequence<String>) -> Bool {
        guard let pages = alike.first?.pages else { return false }
        if alike.count >= many, alike.count * 10 >= pages * 9 { return true }
        return Set(alike.map(\.href)).intersection(wrong).count >= fewest
    }

    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> (href: String, pages: Int) {
        (try row.decode(0), try row.total(1))
    }
}
