public import FoundationEssentials
import TenurePostgres

extension Operator {
    /// Cancels a run with its whole tree, for good.
    ///
    /// From the commit of one mark on, none of its jobs starts, none commits, and none is added;
    /// running ones are told to stop. That takes one statement, however large the run. Its pending
    /// jobs are moved to history before this returns; where that is interrupted, or somebody has
    /// locked some of them, the workers go on with it.
    /// - Returns: whether there was such a run, and it had not ended.
    @discardableResult
    public func cancel(run: UUID) async throws -> Bool {
        guard try await client.pool.execute(MarkRunCancelled(run: run, whom: whom))[0] else {
            return false
        }
        await client.notifier.send([.ofRun(run)])
        while try await client.pool.execute(RetireRun(run: run))[0] > 0 {}
        try await remind(run)
        let settled = try await client.pool.execute(SettleRuns(runs: [run]))
        await client.notifier.send(settled.flatMap(\.wakeups))
        return true
    }

    /// A job that was being claimed at the mark may have reached its worker after the word of it.
    /// A beat would say so, much later.
    private func remind(_ run: UUID) async throws {
        for pause in [20, 40, 80] {
            let live = try await client.pool.execute(
                ReadRunProgress(run: run, countsEnded: false)
            ).first
            guard let live, live.running > 0 else { return }
            await client.notifier.send([.ofRun(run)])
            try await PostgresReactor.shared.sleep(for: .milliseconds(pause))
        }
    }
}

struct MarkRunCancelled: PostgresStatement {
    static let sql = "SELECT tenure.cancel_run($1, $2)"
    let run: UUID
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(run)
        try parameters.append(whom)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Moves a batch of a cancelled run's pending jobs to history; says how many.
struct RetireRun: PostgresStatement {
    static let sql = "SELECT tenure.retire_run($1, 1000)"
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int32.self))
    }
}
