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
    /// How many may start at once after a quiet time, 1 to 10,000: each start costs `minInterval`,
    /// and so many of them may be owed. In any span of time there are no more starts than this and
    /// one for each `minInterval` of it, by the database's clock, over all workers. A step back of
    /// that clock takes away what was saved up.
    public var burst = 1
    /// How many turns in a row it has before the other lanes of its queue have theirs, 1 to 100: of
    /// two lanes that both have jobs and room, one of weight 3 starts three times as many as one of
    /// weight 1. A lane with an interval is served as that says, whatever it weighs.
    public var weight = 1
    /// What comes of its other jobs while one that has begun is not over.
    public var order = Order.free
    /// As it was given, for what is said of a wrong one.
    package private(set) var rate: Rate?
    package static let longestBurst = 10_000
    package static let greatestWeight = 100

    /// In which order a lane's jobs start.
    public enum Order: String, Sendable, Codable {
        /// By priority and run time. One that is tried again, sleeps or waits for a signal lets the
        /// others go on.
        case free
        /// By priority and run time, and one at a time: once a job has begun, no other of the lane
        /// starts before it is over, whatever retries, sleeps and signals lie between. Nothing is
        /// passed over, also where its kind is paused or no worker knows it. A failing job blocks
        /// its lane until its attempts are used up, or somebody discards or cancels it. One that
        /// waits for the signal of a job behind it in its own lane waits for ever.
        ///
        /// A job's place is its run time: one that waits for other jobs takes its place when they
        /// have ended. Jobs of one call stand in the order of the call; those of transactions that
        /// overlap in the order in which they were written, as far as their commits come before
        /// the next has begun.
        case strict
    }

    public init(_ name: String, maxRunning: Int = 1, minInterval: Duration = .zero) {
        self.name = name
        self.maxRunning = maxRunning
        self.minInterval = minInterval
    }

    /// A lane whose jobs run one after the other: `Lane("account:7", order: .strict)`.
    public init(_ name: String, order: Order) {
        self.init(name)
        self.order = order
    }

    /// A lane that starts so many jobs in a time, over all workers: `Lane("api", maxRunning: 50,
    /// rate: Rate(100, per: .seconds(1), burst: 20))`.
    public init(_ name: String, maxRunning: Int, rate: Rate) {
        self.init(name, maxRunning: maxRunning, minInterval: rate.interval)
        burst = rate.burst
        self.rate = rate
    }
}

/// So many starts in a time.
public struct Rate: Sendable, Hashable {
    public let count: Int
    public let period: Duration
    /// How many may start at once after a quiet time.
    public let burst: Int

    /// - Parameters:
    ///   - count: at least 1.
    ///   - period: such that from one start to the next there is a microsecond at least, and 365
    ///     days at most. Other rates are refused where the lane is used.
    ///   - burst: 1 to 10,000. With 1 the starts are evenly spaced.
    public init(_ count: Int, per period: Duration, burst: Int = 1) {
        self.count = count
        self.period = period
        self.burst = burst
    }

    /// From one start to the next, rounded up to what the database can tell apart: never more than
    /// the rate.
    package var interval: Duration {
        guard count > 0, period > .zero else { return .zero }
        let exact = period / count
        let part = exact.components.attoseconds % 1_000_000_000_000
        return part == 0
            ? exact
            : exact
                + Duration(
                    secondsComponent: 0, attosecondsComponent: 1_000_000_000_000 - part)
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
