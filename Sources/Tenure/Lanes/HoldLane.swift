import TenurePostgres

/// Leaves a lane alone for a while.
struct HoldLane: PostgresStatement {
    static let sql = "SELECT tenure.hold_lane($1, $2, $3, $4, $5)"
    let queue: QueueName
    let lane: String
    let pause: Duration
    let reason: String?
    let whom: String?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
        try parameters.append(pause)
        try parameters.append(reason)
        try parameters.append(whom: whom)
    }
}

/// Ends a lane's holds.
struct ReleaseLane: PostgresStatement {
    static let sql = "SELECT tenure.release_lane($1, $2)"
    let queue: QueueName
    let lane: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
