public import TenureFoundation
import TenurePostgres

/// A batch whose end has enqueued the job that looks at it.
public struct EndedBatch: Sendable {
    public let id: UUID
    /// How it ended, with all its numbers.
    public let progress: BatchProgress
    let inspector: Inspector

    /// What jobs of it completed with; see ``Inspector/results(ofBatch:as:of:after:limit:)``.
    public func results<Result: Decodable & Sendable>(
        as type: Result.Type = Result.self, of kind: JobKind? = nil, after job: JobID? = nil,
        limit: Int = 1000
    ) async throws -> [BatchResult<Result>] {
        try await inspector.results(
            ofBatch: id, as: type, of: kind, after: job, limit: limit)
    }
}

/// What one job of a batch completed with.
public struct BatchResult<Value: Sendable>: Sendable {
    public let job: JobID
    public let kind: JobKind
    public let value: Value
}

extension Inspector {
    /// A batch that has ended, by the `parent` of the job that its end has enqueued.
    /// - Returns: nil where that is no batch that has ended, or one that is forgotten.
    package func endedBatch(_ id: UUID) async throws -> EndedBatch? {
        guard let progress = try await progress(ofBatch: id), progress.endedAt != nil else {
            return nil
        }
        return EndedBatch(id: id, progress: progress, inspector: self)
    }

    /// What jobs of a batch completed with, by their ids; not of those that completed with nothing.
    /// As far as history goes back, and not of queues that keep no completed jobs.
    /// - Parameters:
    ///   - kind: only jobs of this kind; all of them have to have results of one type otherwise.
    ///   - job: only those after it: the last one of the look before.
    ///   - limit: how many at most.
    /// - Throws: `TenureError` with `.unreadableResult` that names the job, or with `.unknownKey`,
    ///   `.notSealed` or `.brokenSeal` for one that the inspector's codec can't read.
    public func results<Result: Decodable & Sendable>(
        ofBatch batch: UUID, as type: Result.Type = Result.self, of kind: JobKind? = nil,
        after job: JobID? = nil, limit: Int = 1000
    ) async throws -> [BatchResult<Result>] {
        let rows = try await pool.ask(
            ReadBatchResults(batch: batch, kind: kind, after: job, limit: limit))
        let decoder = JSONDecoder()
        return try rows.map { row in
            let json = try seals.opened(row.result, at: SealedPlace(.result, of: row.job))
            do {
                return BatchResult(
                    job: row.job, kind: row.kind,
                    value: try decoder.decode(type, from: Data(json.utf8)))
            } catch {
                throw TenureError(
                    .unreadableResult,
                    "the result of job \(row.job), of kind \(row.kind), is no \(type): ask for one "
                        + "kind, with the type that its handler completes with", cause: error)
            }
        }
    }
}

struct ReadBatchResults: PostgresStatement {
    static let sql = """
        SELECT h.id, h.kind, h.result FROM tenure.job_history h
        WHERE h.batch_id = $1 AND h.outcome = 'completed' AND h.result IS NOT NULL
          AND ($2::text IS NULL OR h.kind = $2) AND ($3::uuid IS NULL OR h.id > $3)
        ORDER BY h.id LIMIT $4
        """
    let batch: UUID
    let kind: JobKind?
    let after: JobID?
    let limit: Int

    struct Row: Sendable {
        let job: JobID
        let kind: JobKind
        let result: String
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(batch)
        try parameters.append(kind?.rawValue)
        try parameters.append(after?.uuid)
        try parameters.append(Int32(JobLimits.rows(limit)))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            job: JobID(try row.decode(0, as: UUID.self)),
            kind: JobKind(try row.decode(1, as: String.self)),
            result: try row.decode(2, as: PostgresJSON.self).text)
    }
}
