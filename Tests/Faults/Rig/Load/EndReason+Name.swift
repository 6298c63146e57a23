import Tenure

extension EndReason {
    /// As the recording names it.
    var name: String {
        switch self {
        case .superseded: "superseded"
        case .cancelled: "cancelled"
        case .timedOut: "timedOut"
        case .shutdown: "shutdown"
        case .leaseExpired: "leaseExpired"
        case .lost: "lost"
        case .waiting: "waiting"
        }
    }
}
