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
