import TenurePostgres

/// Leaves a lane alone for a while.
struct HoldLane: PostgresStatement {
    static let sql = "SELECT tenure.hold_lane($1, $2, $3, $4, $5, $6)"
    let queue: QueueName
    let lane: String
    let pause: Duration
    let reason: String?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
        try parameters.append(pause)
        try parameters.append(reason)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }
}

/// Ends a lane's holds.
struct ReleaseLane: PostgresStatement {
    static let sql = "SELECT tenure.release_lane($1, $2, $3, $4)"
    let queue: QueueName
    let lane: String
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
