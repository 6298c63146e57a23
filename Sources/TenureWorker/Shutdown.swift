import Tenure
import TenurePostgres

/// A shutdown's beginning, told once; a second one can only make it shorter.
final class Shutdown: Sendable {
    private let grace = Lock<Duration?>(nil)
    private let begun = Signal()

    func begin(grace wanted: Duration) {
        grace.withLock { $0 = min($0 ?? wanted, wanted) }
        begun.notify()
    }

    /// Returns the grace period when a shutdown begins; nil when the waiting task is cancelled.
    func wait() async -> Duration? {
        await begun.wait()
        return grace.withLock { $0 }
    }
}
