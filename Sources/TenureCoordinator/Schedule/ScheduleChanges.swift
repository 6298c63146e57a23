import Tenure
import TenurePostgres

struct RemoveSchedule: PostgresStatement {
    static let sql = "DELETE FROM tenure.schedule s WHERE s.name = $1 RETURNING true"
    let name: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(name) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

struct PauseSchedule: PostgresStatement {
    static let sql = """
        UPDATE tenure.schedule s
        SET paused_at = coalesce(s.paused_at, clock_timestamp()),
            paused_by = CASE WHEN s.paused_at IS NULL THEN $2 ELSE s.paused_by END
        WHERE s.name = $1 RETURNING true
        """
    let name: String
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(name)
        try parameters.append(whom: whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Goes on from now: a tick that fell into the pause is not made up for.
struct ResumeSchedule: PostgresStatement {
    static let sql = """
        WITH was AS MATERIALIZED (
            SELECT s.name, s.paused_at IS NOT NULL AS paused, s.next_at < clock_timestamp() AS past
            FROM tenure.schedule s WHERE s.name = $1 FOR NO KEY UPDATE
        ), changed AS (
            UPDATE tenure.schedule s
            SET paused_at = NULL, paused_by = NULL,
                next_at = CASE WHEN NOT w.past THEN s.next_at
                               WHEN s.cron IS NULL THEN clock_timestamp() + s.every
                               ELSE tenure.cron_next(s.cron, s.zone, clock_timestamp()) END
            FROM was w WHERE s.name = w.name AND w.paused
        )
        SELECT w.paused FROM was w
        """
    let name: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(name) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
