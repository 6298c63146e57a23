public import FoundationEssentials

/// When a job may first run.
public struct RunTime: Sendable {
    package enum Moment: Sendable {
        case now
        case after(Duration)
        case at(Date)
    }
    package let moment: Moment
    /// The database's clock at the enqueue.
    public static let now = RunTime(moment: .now)
    /// The database's clock at the enqueue, plus a delay.
    public static func after(_ delay: Duration) -> RunTime { RunTime(moment: .after(delay)) }
    /// A point in time on the producer's clock.
    public static func at(_ date: Date) -> RunTime { RunTime(moment: .at(date)) }
}

/// Until when a job may begin.
public struct Expiry: Sendable {
    package enum Moment: Sendable {
        case after(Duration)
        case at(Date)
    }
    package let moment: Moment
    /// The database's clock at the enqueue, plus so much. More than the job's delay, if both are
    /// durations, and than what its debouncing waits.
    public static func after(_ duration: Duration) -> Expiry { Expiry(moment: .after(duration)) }
    /// A point in time on the database's clock.
    public static func at(_ date: Date) -> Expiry { Expiry(moment: .at(date)) }
}

/// What one enqueue may say beyond its job and key. Whatever is nil comes from the job's type.
public struct EnqueueOptions: Sendable {
    public var queue: QueueName?
    public var priority: JobPriority?
    public var runTime: RunTime = .now
    /// No run of the job begins at this time or later. It begins with its claim: a worker starts
    /// what it has claimed within a sixth of its lease (5 s by default), or hands it back. A run
    /// that has begun goes on; an attempt that would follow a failure, a snooze or a death too late
    /// is not made. A job that expired ends as `discarded`, with a reason that begins with
    /// `expired:`, within a second or so where a coordinator runs, and within 30 s where a worker
    /// does. Where a key's pending job takes in a newer one (coalescing, debounced) the newer one's
    /// expiry counts. An operator's retry takes it away. Nil: it never expires.
    public var notAfter: Expiry?
    public var maxAttempts: Int?
    public var lane: Lane?
    /// The batch it belongs to.
    public var batch: UUID?
    public var parent: JobID?
    /// The trace context that the run goes on from: a W3C `traceparent`, or a JSON object of the
    /// fields that a tracer carries, at most 4096 bytes. When nil, the enqueue takes that of the
    /// current task, where a tracer is bootstrapped.
    public var trace: String?
    public init() {}
}
