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
