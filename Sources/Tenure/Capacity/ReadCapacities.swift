import TenurePostgres

/// The capacities of queues, and how much waits in each; nothing of those without a capacity.
struct ReadCapacities: PostgresStatement {
    static let sql = """
        SELECT q.name, m.capacity, m.pending, m.age
        FROM unnest($1::text[]) AS q (name) CROSS JOIN LATERAL tenure.read_capacity(q.name) AS m
        """
    let queues: [QueueName]

    struct Measured: Sendable {
        let queue: QueueName
        let capacity: Int
        let pending: Int
        /// How long ago that was counted.
        let age: Duration
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queues.map(\.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Measured {
        Measured(
            queue: QueueName(try row.decode(0, as: String.self)),
            capacity: Int(try row.decode(1, as: Int32.self)),
            pending: Int(try row.decode(2, as: Int64.self)), age: try row.decode(3))
    }
}
