import TenurePostgres

/// Declares a session dead by compare-and-set on the beat that was watched standing still.
struct DeclareDead: PostgresStatement {
    static let sql = "SELECT tenure.declare_dead($1, $2, $3)"
    let session: SessionID
    let watchedBeat: Int64
    let watcher: SessionID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
        try parameters.append(watchedBeat)
        try parameters.append(watcher.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool {
        try row.decode(0, as: Bool.self)
    }
}
