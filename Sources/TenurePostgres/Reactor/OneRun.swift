/// Guards a `run()` that may be called once: a second one beside it, or after it, would wait for
/// what never comes, or return at once to somebody who starts it again and again.
package final class OneRun: Sendable {
    package enum Refusal: Sendable {
        /// It runs just now.
        case running
        /// It has run, and is over for good.
        case over
    }

    private enum Phase { case fresh, running, over }
    private let phase = Lock(Phase.fresh)

    package init() {}

    /// - Returns: nil where it may run now; whoever asked then says how it went.
    package func begin() -> Refusal? {
        phase.withLock { phase in
            switch phase {
            case .fresh:
                phase = .running
                return nil
            case .running: return .running
            case .over: return .over
            }
        }
    }

    /// Nothing was begun: it may be tried again.
    package func didNotBegin() { phase.withLock { $0 = .fresh } }

    package func end() { phase.withLock { $0 = .over } }
}
