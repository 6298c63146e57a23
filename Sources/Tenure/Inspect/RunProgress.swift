public import FoundationEssentials
import TenurePostgres

/// How far a run is: the tree of jobs that were enqueued with the same `EnqueueOptions.run`.
///
/// A job and its follow-ups change places in one commit: once nothing is unfinished, nothing
/// more comes, unless somebody enqueues for the run anew.
public struct RunProgress: Sendable, Hashable {
    public let unfinished: Int
    /// Of the unfinished ones, those that a worker has.
    public let running: Int
    /// Of the unfinished ones, those that no worker could run.
    public let held: Int
}

extension Inspector {
    /// How far a run is; all zero for one that is over or never was.
    public func progress(ofRun run: UUID) async throws -> RunProgress {
        try await pool.execute(ReadRunProgress(run: run))[0]
    }

    /// The jobs of a run that were given up with all their attempts spent, as far as history goes
    /// back: what they should have done is missing.
    public func discardedJobs(ofRun run: UUID) async throws -> Int {
        try await pool.execute(CountDiscarded(run: run))[0]
    }
}

extension Operator {
    /// Cancels every unfinished job of a run, those too that running ones enqueue meanwhile:
    /// pending jobs are over, running ones are told to stop.
    /// - Returns: how many were cancelled or told.
    @discardableResult
    public func cancel(run: UUID) async throws -> Int {
        var count = 0
        while true {
            let cancelled = try await client.pool.execute(CancelRunJobs(run: run, whom: whom))
            count += cancelled.count
            if cancelled.isEmpty { return count }
        }
    }
}

struct ReadRunProgress: PostgresStatement {
    static let sql = """
        SELECT count(*), count(*) FILTER (WHERE j.state = 'running'),
               count(*) FILTER (WHERE j.state = 'held')
        FROM tenure.job j WHERE j.run_id = $1
        """
    let run: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(run) }

    static func decode(_ row: borrowing PostgresRow) throws -> RunProgress {
        RunProgress(
            unfinished: Int(try row.decode(0, as: Int64.self)),
            running: Int(try row.decode(1, as: Int64.self)),
            held: Int(try row.decode(2, as: Int64.self)))
    }
}
