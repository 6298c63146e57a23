// docs/decisions/after.md

public import Tenure
import TenureFoundation
import TenurePostgres

/// What came before: the jobs that this one waited for (``EnqueueOptions/after``).
extension JobContext {
    /// How they ended, in the order of their ids, with the keys that it waited for. It is kept with
    /// the wait, whatever becomes of history. A result that the worker's codec can't read is as it
    /// is stored, and ``results(of:as:)`` says why.
    /// - Throws: `PostgresError` while the database is away.
    public func predecessors() async throws -> [PredecessorEnd] {
        var ends = try await client.pool.ask(ReadEnds(job: jobID, wanted: nil))
        for index in ends.indices {
            do {
                ends[index].result = try await result(of: ends[index])
            } catch is TenureError {
                continue
            }
        }
        return ends
    }

    /// As JSON. What was asked for by one id may be the result of a job that stands for that.
    private func result(of end: PredecessorEnd) async throws -> String? {
        guard let stored = end.result, !client.seals.isOpen(stored) else { return end.result }
        let place = SealedPlace(.result, of: end.job)
        return try await client.seals.opened(stored, at: place) { other in
            try await client.pool.ask(ReadEnds(job: jobID, wanted: [other]))
                .contains { $0.job == other && $0.result == stored }
        }
    }

    /// The results that they completed with.
    /// - Parameter jobs: some of them. Nil: all that completed with a result. They are held in
    ///   memory at once: ask for some at a time where they are many and large.
    /// - Throws: `TenureError` with `.unreadableResult`, where a result can't be read as `type`, or
    ///   one of `jobs` has none: it is none of those that this job waited for, has not completed,
    ///   or completed without one; with `.unknownKey`, `.notSealed` or `.brokenSeal` for one that
    ///   the worker's codec can't read. `PostgresError` while the database is away.
    public func results<Value: Decodable & Sendable>(
        of jobs: [JobID]? = nil, as type: Value.Type = Value.self
    ) async throws -> [JobID: Value] {
        let ends = try await client.pool.ask(ReadEnds(job: jobID, wanted: jobs))
        var results: [JobID: Value] = [:]
        for end in ends {
            guard end.status == .completed, let text = try await result(of: end) else {
                continue
            }
            do {
                results[end.job] = try JSONDecoder().decode(type, from: Data(text.utf8))
            } catch {
                throw TenureError(
                    .unreadableResult,
                    "the result of job \(end.job) is no \(type): ask for it with the type that its "
                        + "handler completes with",
                    cause: client.seals.codec == nil ? error : nil)
            }
        }
        if let missing = jobs?.first(where: { results[$0] == nil }) {
            throw TenureError(
                .unreadableResult,
                "job \(jobID) has no result of job \(missing): it did not wait for it, or that one "
                    + "has not completed, or completed without a result")
        }
        return results
    }
}
