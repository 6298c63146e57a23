import FoundationEssentials
import Tenure
import Web

/// Writes what is remembered of a target, and an event when its state changed. Its row is locked.
struct UpdateTarget: PostgresStatement {
    static let sql = """
        WITH change AS (
            INSERT INTO content.target_event (target, before, after, code, at)
            SELECT $1, $2, $3, $4, $10 WHERE $2 <> $3
        )
        UPDATE content.target
        SET state = $3, code = $4, status = $5, failures = $6, first_broken_at = $7,
            last_ok_at = $8, next_href = $9, checked_at = $10, changed_at = $11
        WHERE id = $1
        """
    let known: ReadTarget.Row
    let history: TargetHistory
    let visit: Visit

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(known.id)
        try parameters.append(known.history.state.rawValue)
        try parameters.append(history.state.rawValue)
        try parameters.append(visit.code)
        try parameters.append(clamping: visit.status)
        try parameters.append(clamping: history.failures)
        try parameters.append(history.firstBrokenAt)
        try parameters.append(history.lastOkAt)
        try parameters.append(history.nextHref)
        try parameters.append(known.now)
        try parameters.append(history.changedAt)
    }
}
