/// Why an enqueue was refused: its queue has as many pending jobs as it may have.
///
/// The cause of a `TenureError` with `.queueFull`. The numbers are an estimate, see
/// `Operator.setCapacity(of:to:)`.
public struct QueueFull: Error, Sendable, CustomStringConvertible {
    public let queue: QueueName
    /// The most jobs that may wait in it.
    public let capacity: Int
    /// How many did, as far as was counted: no further than the capacity and one.
    public let pending: Int
    /// How many the refused call wanted to add.
    public let wanted: Int
    /// When it is worth trying again.
    public let retryAfter: Duration

    public var description: String {
        let remedy =
            wanted > capacity
            ? "enqueue fewer at a time"
            : "try again in \(retryAfter), enqueue with whenFull: .wait, or let more workers run"
        return "queue \(queue) has \(pending) of at most \(capacity) pending jobs, and \(wanted) "
            + "more don't fit; \(remedy)"
    }
}

/// What an enqueue does when its queue is full.
public enum WhenFull: Sendable {
    /// Throw `TenureError` with `.queueFull`, at once.
    case fail
    /// Try again until there is room, at most so long on this process's continuous clock.
    case wait(Duration)
}
