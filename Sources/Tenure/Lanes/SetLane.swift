import TenurePostgres

/// Sets a lane's limits, for good.
struct SetLane: PostgresStatement {
    static let sql = "SELECT tenure.set_lane($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    let queue: QueueName
    let lane: String
    let maxRunning: Int?
    let minInterval: Duration?
    let burst: Int?
    let weight: Int?
    let order: Lane.Order?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
        try parameters.append(maxRunning.map { Int32($0) })
        try parameters.append(minInterval)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
        try parameters.append(burst.map { Int32($0) })
        try parameters.append(weight.map { Int32($0) })
        try parameters.append(order.map { $0 == .strict })
    }
}

/// Makes a lane slower, where nobody has set its limits.
struct SlowLane: PostgresStatement {
    static let sql = "SELECT tenure.slow_lane($1, $2, $3)"
    let queue: QueueName
    let lane: String
    let minInterval: Duration

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(lane)
        try parameters.append(minInterval)
    }
}
