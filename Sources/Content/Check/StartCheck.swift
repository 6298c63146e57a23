import Tenure
import TenureFoundation
import Web

/// Notes a check that begins, with what it visits first: targets that are held against deletion
/// until the transaction ends.
struct StartCheck: PostgresStatement {
    static let sql = "SELECT content.start_check($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    let check: StartedCheck
    let visits: [PlannedVisit]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check.id)
        try parameters.append(check.options.kind.rawValue)
        try parameters.append(check.start.href)
        try parameters.append(check.folder)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(check.options))))
        try parameters.append(visits.map(\.url.href))
        try parameters.append(visits.map(\.follows))
        try parameters.append(visits.map(\.mode.rawValue))
        try parameters.append(visits.map(\.skipCode))
        try parameters.append(visits.map { $0.given?.list })
        try parameters.append(visits.map { $0.given.map { Int32(clamping: $0.line) } })
    }
}

/// Notes which site that is watched a check is of.
struct NoteSite: PostgresStatement {
    static let sql = "UPDATE content.site_check SET site = $2 WHERE id = $1"
    let check: UUID
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(site)
    }
}
