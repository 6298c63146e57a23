import TenurePostgres

/// How many claimed jobs wait in a process for a slot, or are on their way, in all of its queues.
/// Beyond some, each queue claims for free slots alone: what is claimed ahead must not wait long.
final class SharedBuffer: Sendable {
    private static let most = 6 * ClaimDemand.most
    private let count = Lock(0)

    func add(_ number: Int) { count.withLock { $0 += number } }

    var isFull: Bool { count.withLock { $0 >= Self.most } }
}
