import FoundationEssentials
import Tenure
import Web

/// Writes what a check's visit came to.
struct RecordVisit: PostgresStatement {
    static let sql = """
        UPDATE content.check_target
        SET state = $3, code = $4, status = $5, detail = $6, next = content.digest($7),
            is_page = $8, checked_at = content.now()
        WHERE check_id = $1 AND target = content.digest($2)
        """
    let check: UUID
    let url: String
    let visit: Visit
    let state: TargetState
    let isPage: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(url)
        try parameters.append(state.rawValue)
        try parameters.append(visit.code)
        try parameters.append(clamping: visit.status)
        try parameters.append(visit.detail.map(\.storable))
        try parameters.append(visit.next?.href)
        try parameters.append(isPage)
    }
}
