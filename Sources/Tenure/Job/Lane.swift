/// The part of a queue that shares a limit over all workers, such as one host.
///
/// The limits given here make the lane; later enqueues leave an existing lane as it is, and
/// operators change it (``Lanes``). Lanes take turns: one with many jobs doesn't keep another
/// waiting. A lane that nobody uses any more is forgotten after some days, with its limits.
public struct Lane: Sendable {
    public var name: String
    /// The most of its jobs that run at a time.
    public var maxRunning: Int
    /// The least time from one start to the next; with one, `maxRunning` bounds what overlaps.
    public var minInterval: Duration
    public init(_ name: String, maxRunning: Int = 1, minInterval: Duration = .zero) {
        self.name = name
        self.maxRunning = maxRunning
        self.minInterval = minInterval
    }
}

/// A lane that nobody is to claim from for a while.
public struct LaneHold: Sendable {
    /// Of the job's own queue.
    public var lane: String
    public var pause: Duration
    /// For people.
    public var reason: String?

    public init(_ lane: String, for pause: Duration, reason: String? = nil) {
        self.lane = lane
        self.pause = pause
        self.reason = reason
    }
}
