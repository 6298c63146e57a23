import Tenure
import TenureFoundation
import Web

/// Writes what is remembered of targets, and an event for each whose state has changed. Their rows
/// are locked.
struct UpdateTargets: PostgresStatement {
    static let sql = """
        WITH news AS MATERIALIZED (
            SELECT n.* FROM unnest(
                $1::uuid[], $2::text[], $3::text[], $4::text[], $5::int4[], $6::int4[],
                $7::timestamptz[], $8::timestamptz[], $9::text[], $10::timestamptz[],
                $11::timestamptz[])
                AS n (id, before, state, code, status, failures, first_broken_at, last_ok_at,
                      next_href, checked_at, changed_at)
        ), change AS (
            INSERT INTO content.target_event (target, before, after, code, at)
            SELECT n.id, n.before, n.state, n.code, n.checked_at FROM news n
            WHERE n.before <> n.state
        )
        UPDATE content.target t
        SET state = n.state, code = n.code, status = n.status, failures = n.failures,
            first_broken_at = n.first_broken_at, last_ok_at = n.last_ok_at,
            next_href = n.next_href, checked_at = n.checked_at, changed_at = n.changed_at
        FROM news n WHERE t.id = n.id AND t.id = ANY ($1)
        """
    let rows: [Entry]

    struct Entry: Sendable {
        let known: ReadTargets.Row
        let history: TargetHistory
        let visit: Visit
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(rows.map(\.known.id))
        try parameters.append(rows.map(\.known.history.state.rawValue))
        try parameters.append(rows.map(\.history.state.rawValue))
        try parameters.append(rows.map(\.visit.code))
        try parameters.append(rows.map { $0.visit.status.map { Int32(clamping: $0) } })
        try parameters.append(rows.map { Int32(clamping: $0.history.failures) })
        try parameters.append(rows.map(\.history.firstBrokenAt))
        try parameters.append(rows.map(\.history.lastOkAt))
        try parameters.append(rows.map(\.history.nextHref))
        try parameters.append(rows.map(\.known.now))
        try parameters.append(rows.map(\.history.changedAt))
    }
}
