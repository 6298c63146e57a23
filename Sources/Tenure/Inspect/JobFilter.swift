/// Which jobs to list. What is nil or empty is not asked about.
public struct JobFilter: Sendable {
    /// States and outcomes by their names; empty: every unfinished state.
    public var states: Set<JobStatus> = []
    public var kind: JobKind?
    public var queue: QueueName?
    public var key: String?
    /// Finished jobs too, as long as history keeps them.
    public var finished = false
    public var limit = 50

    public init() {}
}

/// Where a job stands: the states of unfinished jobs, and the outcomes of finished ones.
public enum JobStatus: String, Sendable, CaseIterable, Codable {
    case scheduled, available, retryable, waiting, held, running
    case completed, cancelled, superseded, discarded

    public var isFinished: Bool {
        switch self {
        case .completed, .cancelled, .superseded, .discarded: true
        default: false
        }
    }

    package init(text: String) throws {
        guard let status = JobStatus(rawValue: text) else {
            throw TenureError(
                .schemaMismatch, "a job's state is \"\(text)\": use a newer release of this program"
            )
        }
        self = status
    }
}
