import Tenure
import TenurePostgres

/// Runs that had begun and whose ends the database would not take. A beat will report them as
/// unknown: they go back then, as what they are.
final class UnwrittenRuns: Sendable {
    private static let most = 10_000
    private let runs = Lock<Set<RunRef>>([])

    func add(_ run: RunRef) {
        runs.withLock { if $0.count < Self.most { $0.insert(run) } }
    }

    /// Returns whether it was one of them.
    func remove(_ run: RunRef) -> Bool { runs.withLock { $0.remove(run) != nil } }
}
