/// Why a run lost its right to go on. The first reason stands.
public enum EndReason: Sendable, Hashable, CustomStringConvertible {
    /// A newer job of the key raised its floor above this run's generation.
    case superseded(by: Generation)
    case cancelled(by: String)
    /// The job's own timeout, on the worker's clock from the handler's start.
    case timedOut
    /// The worker is shutting down and the grace period is over.
    case shutdown
    /// The database could not be reached in time: another worker may take the job.
    case leaseExpired
    /// The database says that the run's place is another's already.
    case lost
    /// Its handler waits for something (`context.signal`, `context.sleep`): a later run goes on.
    case waiting(for: String)

    public var description: String {
        switch self {
        case .superseded(let generation): "superseded by generation \(generation)"
        case .cancelled(let who): "cancelled by \(who)"
        case .timedOut: "timed out"
        case .shutdown: "shutdown"
        case .leaseExpired: "lease expired"
        case .lost: "lost to another run"
        case .waiting(let what): "waiting for \(what)"
        }
    }
}
