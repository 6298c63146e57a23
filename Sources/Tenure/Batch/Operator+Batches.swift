public import TenureFoundation
import TenurePostgres

extension Operator {
    /// Cancels a batch with all of its jobs, for good.
    ///
    /// From the commit of one mark on, none of its jobs starts, none commits, and none is added;
    /// running ones are told to stop. That takes one statement, however large the batch. Its
    /// pending jobs are moved to history before this returns; where that is interrupted, or
    /// somebody has locked some of them, the workers go on with it.
    /// - Returns: whether there was such a batch, and it had not ended.
    @discardableResult
    public func cancel(batch: UUID) async throws -> Bool {
        guard try await client.pool.ask(MarkBatchCancelled(batch: batch, doer: doer))[0] else {
            return false
        }
        await client.notifier.send([.ofBatch(batch)])
        while try await client.pool.ask(RetireBatch(batch: batch))[0] > 0 {}
        try await remind(batch)
        let settled = try await client.pool.ask(SettleBatches(batches: [batch]))
        await client.notifier.send(settled.flatMap(\.wakeups))
        return true
    }

    /// A job that was being claimed at the mark may have reached its worker after the word of it.
    /// A beat would say so, much later.
    private func remind(_ batch: UUID) async throws {
        for pause in [20, 40, 80] {
            let live = try await client.pool.ask(
                ReadBatchProgress(batch: batch, countsEnded: false)
            ).first
            guard let live, live.running > 0 else { return }
            await client.notifier.send([.ofBatch(batch)])
            try await PostgresReactor.shared.sleep(for: .milliseconds(pause))
        }
    }
}

struct MarkBatchCancelled: PostgresStatement {
    static let sql = "SELECT tenure.cancel_batch($1, $2, $3)"
    let batch: UUID
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(batch)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Moves some of a cancelled batch's pending jobs to history; says how many.
struct RetireBatch: PostgresStatement {
    static let sql = "SELECT tenure.retire_batch($1, 1000)"
    let batch: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(batch) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int32.self))
    }
}
