public import TenureFoundation

/// A job, as far as a list shows it.
public struct JobSummary: Sendable {
    public let id: JobID
    public let status: JobStatus
    /// It has the status `running`, and its handler has not begun: it waits for a slot of the
    /// worker that has claimed it.
    public let isOnlyClaimed: Bool
    /// An operator cancelled it, and its run has not let go yet.
    public let isCancelling: Bool
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    public let generation: Generation?
    public let priority: Int16
    public let attempt: Int
    public let maxAttempts: Int
    public let runAt: Date
    public let createdAt: Date
    public let claimedAt: Date?
    public let finishedAt: Date?
    /// No run begins then or later; nil: it doesn't expire, or is finished.
    public let notAfter: Date?
    /// The job as which an operator ran it again, the last time.
    public internal(set) var retriedAs: JobID?
}

extension JobSummary: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "kind": kind, "state": status, "cancelling": isCancelling,
            "onlyClaimed": isOnlyClaimed, "queue": queue, "key": key,
            "generation": generation?.rawValue, "priority": priority, "attempt": attempt,
            "maxAttempts": maxAttempts, "runAt": runAt, "createdAt": createdAt,
            "claimedAt": claimedAt, "finishedAt": finishedAt, "notAfter": notAfter,
            "retriedAs": retriedAs,
        ])
    }
}
