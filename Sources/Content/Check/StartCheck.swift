import FoundationEssentials
import Tenure
import Web

/// Notes a check that begins, with what it visits first: targets that are held against deletion
/// until the transaction ends.
struct StartCheck: PostgresStatement {
    static let sql = "SELECT content.start_check($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    let run: CheckRun
    let visits: [PlannedVisit]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run.id)
        try parameters.append(run.options.kind.rawValue)
        try parameters.append(run.start.href)
        try parameters.append(run.folder)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(run.options))))
        try parameters.append(visits.map(\.url.href))
        try parameters.append(visits.map(\.follows))
        try parameters.append(visits.map(\.mode.rawValue))
        try parameters.append(visits.map(\.skipCode))
    }
}
