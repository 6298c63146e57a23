import TenurePostgres

/// Asks a live session to end; a row when it was alive. Who asked first is remembered.
struct StopSession: PostgresStatement {
    static let sql = """
        UPDATE tenure.session s
        SET stop_at = coalesce(s.stop_at, clock_timestamp()), stop_by = coalesce(s.stop_by, $2)
        WHERE s.id = $1 AND s.ended_at IS NULL RETURNING true
        """
    let session: SessionID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
        try parameters.append(whom: whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
