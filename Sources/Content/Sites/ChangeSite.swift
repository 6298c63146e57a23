import Tenure
import TenureFoundation

/// Says how a site is checked from its next check on.
struct ChangeSite: PostgresStatement {
    static let sql = "UPDATE content.site SET options = $2 WHERE id = $1"
    let id: UUID
    let options: SiteCheckOptions

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(id)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(options))))
    }
}
