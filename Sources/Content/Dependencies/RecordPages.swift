import FoundationEssentials
import Tenure
import Web

/// Writes that pages of a run are well.
struct RecordPages: PostgresStatement {
    static let sql = """
        WITH page AS MATERIALIZED (
            SELECT content.digest(p.href) AS id, p.status, p.is_page
            FROM unnest($2::text[], $3::int4[], $4::bool[]) AS p (href, status, is_page)
        )
        UPDATE content.run_target v
        SET state = 'ok', code = NULL, status = p.status, detail = NULL, is_page = p.is_page,
            checked_at = content.now()
        FROM page p
        WHERE v.run = $1 AND v.target = p.id AND v.target = ANY (array(SELECT o.id FROM page o))
        """
    let run: UUID
    let pages: [BatchNews.Page]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(pages.map(\.url.href))
        try parameters.append(pages.map { $0.status.map(Int32.init) })
        try parameters.append(pages.map(\.isHTML))
    }
}
