import TenurePostgres

/// Sets the most jobs that may wait in a queue.
struct SetCapacity: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.queue AS q (name, capacity) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET capacity = EXCLUDED.capacity RETURNING true
        """
    let queue: QueueName
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(most.map { Int32($0) })
    }
}

extension Operator {
    /// Sets the most jobs that may wait in a queue, later ones too; nil takes that away.
    ///
    /// Clients heed it at `TenureClient.enqueue` within five seconds: enqueues that would go above
    /// it are refused with `.queueFull`. It is an estimate: one count a second serves all clients,
    /// and each adds what it has enqueued since; so the queue may be over it by what the others
    /// enqueue within a second (or, where counting takes longer than 50 ms, within twenty times
    /// that). Not refused: what comes with a transaction, follow-ups of jobs, schedules, retries,
    /// and enqueues by SQL.
    public func setCapacity(of queue: QueueName, to most: Int?) async throws {
        try JobLimits.check(name: queue.rawValue, of: "queue", longest: JobLimits.longestName)
        if let most { try JobLimits.check(most, of: "capacity", in: 1...1_000_000) }
        let about: [String: PayloadValue] = [
            "name": .text(queue.rawValue),
            "capacity": most.map { PayloadValue.whole(Int64($0)) } ?? .null,
        ]
        _ = try await client.pool.change(
            SetCapacity(queue: queue, most: most), noted: doer.action("bound", "queue", about))
    }
}
