import TenurePostgres

/// Sets the most jobs of a queue that may run at a time; waits for a moment without claims.
struct LimitQueue: PostgresStatement {
    static let sql = "SELECT tenure.limit_queue($1, $2, $3, $4)"
    let queue: QueueName
    let most: Int?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(most.map { Int32($0) })
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }
}

/// Sets after how long a queue's less urgent jobs go to its front.
struct SetAgeing: PostgresStatement {
    static let sql = "SELECT tenure.set_ageing($1, $2, $3, $4)"
    let queue: QueueName
    let patience: Duration?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(patience)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }
}

/// Sets how far apart a queue's jobs start; waits for a moment without claims.
struct RateQueue: PostgresStatement {
    static let sql = "SELECT tenure.rate_queue($1, $2, $3, $4, $5)"
    let queue: QueueName
    let rate: Rate?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(rate?.interval)
        try parameters.append(rate.map { Int32($0.burst) })
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }
}
