// docs/decisions/poisoned-rows.md

package import TenureFoundation
package import TenurePostgres

/// What came of a batch that had no job left.
package struct SettledBatch: Sendable {
    package let batch: UUID
    /// False where somebody held a lock that its end needs: to be tried again.
    package let hasEnded: Bool
    /// Why what its end was to enqueue could not be; it has ended all the same.
    package let refused: String?
    let queues: [QueueName]

    package init(batch: UUID, hasEnded: Bool, refused: String? = nil, queues: [QueueName] = []) {
        self.batch = batch
        self.hasEnded = hasEnded
        self.refused = refused
        self.queues = queues
    }

    /// Whom to tell, after the commit.
    package var wakeups: [Wakeup] {
        (hasEnded ? [.ofBatch(batch)] : [])
            + queues.map(Wakeup.available(in:))
    }

    /// Columns from `first` on.
    fileprivate init(_ row: borrowing PostgresRow, from first: Int) throws {
        batch = try row.decode(first)
        hasEnded = try row.decode(first + 1)
        refused = try row.decode(first + 2)
        queues = try row.decode(first + 3, as: [String].self).map { QueueName($0) }
    }
}

extension EventObserver {
    /// Of a batch that has ended, only what was refused is news.
    package func observe(_ batch: SettledBatch) {
        if let reason = batch.refused {
            observe(.followUpRefused(batch: batch.batch, reason: reason))
        }
    }
}

/// Ends those of the batches that have no job left; returns them.
package struct SettleBatches: PostgresStatement {
    package static let sql = """
        SELECT s.id, s.ended, s.refused, s.queues FROM tenure.settle_batches($1) AS s
        """
    let batches: [UUID]

    package init(batches: [UUID]) { self.batches = batches }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(batches)
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> SettledBatch {
        try SettledBatch(row, from: 0)
    }
}

/// Does what is left to do for open batches, some at a time; each row says where to go on, nil at
/// the end, and what it has settled, if anything.
package struct SweepBatches: PostgresStatement {
    package static let sql = """
        SELECT p.next, s.id, s.ended, s.refused, s.queues
        FROM tenure.sweep_batches($1, 200) AS p LEFT JOIN LATERAL unnest(p.settled) AS s ON true
        """
    let after: UUID?

    package init(after: UUID?) { self.after = after }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(after)
    }

    package static func decode(
        _ row: borrowing PostgresRow
    ) throws -> (next: UUID?, settled: SettledBatch?) {
        let isSettled = try row.decode(1, as: UUID?.self) != nil
        return (try row.decode(0), isSettled ? try SettledBatch(row, from: 1) : nil)
    }
}
