import Tenure
import TenureFoundation

/// What is remembered of targets, and the time; locks their rows until the new memory is written,
/// in the order of their ids.
struct ReadTargets: PostgresStatement {
    static let sql = """
        WITH goal AS MATERIALIZED (
            SELECT u.id FROM unnest($1::uuid[]) AS u (id) ORDER BY u.id
        ), held AS MATERIALIZED (
            SELECT t.* FROM goal g
            CROSS JOIN LATERAL (
                SELECT t.* FROM content.target t WHERE t.id = g.id FOR NO KEY UPDATE) AS t
        )
        SELECT h.state, h.failures, h.first_broken_at, h.last_ok_at, h.next_href,
               coalesce(h.status IN (301, 308), false), h.changed_at, content.now(), h.id
        FROM held h
        """
    /// The step of a recursion `way (item, target, href)`: what redirected, when it was seen last,
    /// to a target that leads to the item.
    static let redirectsThere = """
        SELECT w.item, t.id, t.href
        FROM way w CROSS JOIN LATERAL (
            SELECT t.id, t.href FROM content.target t
            WHERE t.next_href = w.href AND t.state IN ('redirected', 'moved') OFFSET 0) AS t
        """
    let ids: [UUID]

    struct Row: Sendable {
        let id: UUID
        let history: TargetHistory
        /// Read after the locks were had: it isn't before whatever is remembered.
        let now: Date
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        let history = TargetHistory(
            state: try row.decode(0, known: TargetState.self),
            failures: min(try row.count(1), TargetHistory.mostFailures),
            firstBrokenAt: try row.decode(2), lastOkAt: try row.decode(3),
            nextHref: try row.decode(4), isForGood: try row.decode(5),
            changedAt: try row.decode(6))
        return Row(id: try row.decode(8), history: history, now: try row.decode(7))
    }
}
