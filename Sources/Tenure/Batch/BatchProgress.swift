public import TenureFoundation
import TenurePostgres

/// How far a batch is: the jobs that were enqueued with the same `EnqueueOptions.batch`.
///
/// All numbers are of one moment, and add up: a job is counted once, wherever it is. They are
/// counted when somebody asks; no job pays for it. What has ended is known as far as history goes
/// back, and not at all for completed jobs of a queue that keeps none.
public struct BatchProgress: Sendable, Hashable, Codable {
    /// When it was started, or its first job came.
    public let startedAt: Date
    /// When somebody cancelled it, and who.
    public let cancelledAt: Date?
    public let cancelledBy: String?
    /// When its last job had ended; nil for a batch that nobody started with `start`.
    public let endedAt: Date?
    /// Why what its end was to enqueue could not be; it has ended all the same.
    public let followUpRefused: String?
    public let unfinished: Int
    /// Of the unfinished ones, those that a worker has.
    public let running: Int
    /// Of the unfinished ones, those that no worker could run.
    public let held: Int
    public let completed: Int
    public let cancelled: Int
    public let superseded: Int
    /// Given up, with all their attempts spent: what they should have done is missing.
    public let discarded: Int

    public var total: Int { unfinished + completed + cancelled + superseded + discarded }

    public var state: BatchState {
        if endedAt != nil { return cancelledAt == nil ? .ended : .cancelled }
        return cancelledAt == nil ? .open : .cancelling
    }
}

/// Where a batch stands.
public enum BatchState: String, Sendable, Codable, CaseIterable {
    /// It has jobs left, or may take more.
    case open
    /// It was cancelled, and some of its jobs have not let go yet.
    case cancelling
    case cancelled
    case ended
}

extension Inspector {
    /// How far a batch is; nil when there is none of that id, or it ended long ago and is
    /// forgotten.
    public func progress(ofBatch batch: UUID) async throws -> BatchProgress? {
        try await pool.ask(ReadBatchProgress(batch: batch)).first
    }

    /// The same without what has ended: cheap, however large the batch.
    package func liveProgress(ofBatch batch: UUID) async throws -> BatchProgress? {
        try await pool.ask(ReadBatchProgress(batch: batch, countsEnded: false)).first
    }
}

struct ReadBatchProgress: PostgresStatement {
    static let sql = """
        SELECT p.started_at, p.cancelled_at, p.cancelled_by, p.ended_at, p.unfinished, p.running,
               p.held, p.completed, p.cancelled, p.superseded, p.discarded, p.refused
        FROM tenure.batch_progress($1, $2) AS p
        """
    let batch: UUID
    var countsEnded = true

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(batch)
        try parameters.append(countsEnded)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> BatchProgress {
        BatchProgress(
            startedAt: try row.decode(0), cancelledAt: try row.decode(1),
            cancelledBy: try row.decode(2), endedAt: try row.decode(3),
            followUpRefused: try row.decode(11),
            unfinished: Int(try row.decode(4, as: Int64.self)),
            running: Int(try row.decode(5, as: Int64.self)),
            held: Int(try row.decode(6, as: Int64.self)),
            completed: Int(try row.decode(7, as: Int64.self)),
            cancelled: Int(try row.decode(8, as: Int64.self)),
            superseded: Int(try row.decode(9, as: Int64.self)),
            discarded: Int(try row.decode(10, as: Int64.self)))
    }
}
