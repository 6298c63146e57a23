import TenurePostgres

/// Which queues keep their completed jobs, as far as this client has asked: only jobs of those may
/// go alone. The statement looks again; asked before, a lost answer leaves nothing open even for a
/// queue that forgets.
final class KeptQueues: Sendable {
    private let known = Lock<[QueueName: Bool]>([:])

    func keepsAll(_ jobs: [NewJob], _ pool: PostgresPool) async throws -> Bool {
        let known = known.withLock { $0 }
        let queues = jobs.queues
        let new = queues.subtracting(known.keys)
        if new.isEmpty { return queues.allSatisfy { known[$0] == true } }
        let forgetful = Set(try await pool.execute(ListForgetful(queues: Array(new))))
        self.known.withLock { known in
            for queue in new { known[queue] = !forgetful.contains(queue) }
        }
        return try await keepsAll(jobs, pool)
    }

    /// The jobs could not go alone: the next ones don't try. It costs them two round trips more.
    func doubt(_ jobs: [NewJob]) {
        known.withLock { known in
            for job in jobs { known[job.queue] = false }
        }
    }
}

/// The queues that keep no completed jobs.
struct ListForgetful: PostgresStatement {
    static let sql = "SELECT q FROM tenure.forgetful_queues($1) AS q"
    let queues: [QueueName]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queues.map(\.rawValue))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> QueueName {
        QueueName(try row.decode(0, as: String.self))
    }
}
