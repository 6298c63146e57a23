import TenurePostgres

/// Pauses a kind in all queues; the row says since when, by whom and why, also when it was paused
/// before. Returns one when it was not.
struct PauseKind: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.kind AS k (name, paused_at, paused_by, reason)
        VALUES ($1, clock_timestamp(), $2, $3)
        ON CONFLICT (name) DO UPDATE
        SET paused_at = EXCLUDED.paused_at, paused_by = EXCLUDED.paused_by,
            reason = EXCLUDED.reason
        WHERE k.paused_at IS NULL
        RETURNING true
        """
    let kind: JobKind
    let whom: String
    let reason: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(whom: whom)
        try parameters.append(reason)
    }
}
