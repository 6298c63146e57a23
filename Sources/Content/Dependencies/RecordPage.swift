import FoundationEssentials
import Tenure
import Web

/// Writes that a page of a run is well. One statement for each page, in one round trip: with its
/// whole key it is found at once, where a join would read all of a run that statistics don't know
/// yet.
struct RecordPage: PostgresStatement {
    static let sql = """
        UPDATE content.run_target
        SET state = 'ok', code = NULL, status = $3, detail = NULL, is_page = $4,
            checked_at = content.now()
        WHERE run = $1 AND target = content.digest($2)
        """
    let run: UUID
    let page: BatchNews.Page

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(page.url.href)
        try parameters.append(page.status.map { Int32(clamping: $0) })
        try parameters.append(page.isHTML)
    }
}
