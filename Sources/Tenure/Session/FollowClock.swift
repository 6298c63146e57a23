import TenurePostgres

/// Has the times of waiting jobs go back with the database's clock; answers whether this was the
/// first to say so.
struct FollowClock: PostgresStatement {
    static let sql = "SELECT tenure.follow_clock($1, $2, $3)"
    let seenSteps: Int64
    let back: Duration
    let finder: SessionID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(seenSteps)
        try parameters.append(back)
        try parameters.append(finder.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool {
        try row.decode(0, as: Bool.self)
    }
}
