import Tenure
import TenurePostgres

/// A shutdown's beginning, told once; a second one can only make it shorter.
final class Shutdown: Sendable {
    private let grace = Lock<Duration?>(nil)
    private let begun = Signal()

    var hasBegun: Bool { grace.withLock { $0 != nil } }

    func begin(grace wanted: Duration) {
        grace.withLock { $0 = min($0 ?? wanted, wanted) }
        begun.notify()
    }

    /// Returns whether a shutdown begins; false when the waiting task is cancelled.
    func wait() async -> Bool {
        await begun.wait()
        return grace.withLock { $0 } != nil
    }

    /// Returns when the grace period is over that counts from now, or a shorter one that comes
    /// meanwhile, or when the task is cancelled.
    func waitOut(on time: any Timekeeper) async {
        let start = time.now
        while !Task.isCancelled, let grace = grace.withLock({ $0 }), time.now < start + grace {
            await begun.wait(until: start + grace, on: time)
        }
    }
}
