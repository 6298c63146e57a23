import FoundationEssentials
import Tenure
import Web

/// What is remembered of a target, without a lock, and the time: for `TakeVisit`.
struct RecallTarget: PostgresStatement {
    static let sql = """
        SELECT t.state, t.failures, t.first_broken_at, t.last_ok_at, t.next_href,
               coalesce(t.status IN (301, 308), false), t.changed_at, content.now(), t.xmin::text
        FROM content.target t WHERE t.id = $1
        """
    let id: UUID

    struct Row: Sendable {
        let target: ReadTarget.Row
        /// Which version of its row that is.
        let version: String
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(target: try ReadTarget.decode(row), version: try row.decode(8))
    }
}

/// Writes what is remembered of a target, and an event when its state changed, as `UpdateTarget`
/// does, unless its row has changed since it was read: no row then, and nothing is written.
struct TakeVisit: PostgresStatement {
    static let sql = """
        WITH taken AS (
            UPDATE content.target t
            SET state = $3, code = $4, status = $5, failures = $6, first_broken_at = $7,
                last_ok_at = $8, next_href = $9, checked_at = $10, changed_at = $11
            WHERE t.id = $1 AND t.xmin = $12::text::xid
            RETURNING t.id
        ), change AS (
            INSERT INTO content.target_event (target, before, after, code, at)
            SELECT k.id, $2, $3, $4, $10 FROM taken k WHERE $2 <> $3
        )
        SELECT k.id FROM taken k
        """
    let id: UUID
    let update: UpdateTarget
    let version: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(id)
        try update.bindState(&parameters)
        try parameters.append(version)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}
