/// How full a queue with a capacity is: an estimate, see `Operator.setCapacity(of:to:)`.
public struct QueueRoom: Sendable, Hashable {
    /// The most jobs that may wait in it.
    public let capacity: Int
    /// How many do, as far as was counted: no further than the capacity and one.
    public let pending: Int
}
