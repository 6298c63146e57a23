import TenurePostgres

/// Has the times of waiting jobs go back with the database's clock; answers with the queues that
/// have something to claim, and with nothing where another was the first to say so.
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

    static func decode(_ row: borrowing PostgresRow) throws -> [QueueName]? {
        try row.decode(0, as: [String]?.self)?.map { QueueName($0) }
    }
}
