import TenurePostgres

/// How many claimed jobs wait in a process for a slot, in all of its queues. Beyond some, each
/// queue claims for free slots alone: what is claimed ahead must not wait long. What was asked for
/// does not count: most queues have less, and two calls are under way at most.
final class SharedBuffer: Sendable {
    private static let most = 6 * ClaimDemand.most
    private let count = Lock(0)
    private let runTime = Lock(Duration.zero)

    func add(_ number: Int) { count.withLock { $0 += number } }

    /// How long a job of any of the queues has its slot; zero: none has ended.
    var usualRunTime: Duration { runTime.withLock { $0 } }

    func ran(for time: Duration) {
        runTime.withLock { $0 = $0 == .zero ? time : ($0 * 7 + time) / 8 }
    }

    var isFull: Bool { count.withLock { $0 >= Self.most } }
}
