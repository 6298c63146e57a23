public import Tenure

/// A result that came after its fence or generation was gone: discarded, with all its writes.
///
/// Not a failure of the job: let it pass through the handler. Nothing of the transaction is
/// there, whatever the handler does next.
public struct LateResult: Error, Sendable, CustomStringConvertible {
    public enum Became: String, Sendable {
        /// Another run has the job, or it has ended.
        case lost = "late"
        case superseded
        case cancelled

        /// Nil for what the run's own end may have come to.
        init?(_ outcome: RunOutcome) {
            switch outcome {
            case .late: self = .lost
            case .job(.superseded): self = .superseded
            case .job(.cancelled): self = .cancelled
            case .job, .snoozed, .unwritten, .other: return nil
            }
        }
    }
    public let job: JobID
    public let fence: Fence
    public let became: Became
    /// A write that failed first, because the result was late already.
    public let cause: (any Error)?

    public var description: String {
        "late result of job \(job) (fence \(fence)) discarded: it was \(became)"
    }
}
